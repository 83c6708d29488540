#include "probe.h"

#include <cstdlib>

namespace echo {

Outcome Probe::open(const std::vector<std::string>& stages) {
    for (const std::string& name : stages) {
        std::unique_ptr<Stage> stage;
        Outcome o = createStage(name, &stage);
        if (!o) return o;
        stages_.push_back(std::move(stage));
    }
    const int n = lines_ * samples_;
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
        Lane& lane = lanes_[l];
        cudaError_t e = cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking);
        if (e == cudaSuccess) e = cudaMallocHost(&lane.raw, n * sizeof(int));
        if (e == cudaSuccess) e = cudaMallocHost(&lane.image, n * sizeof(int));
        if (e == cudaSuccess) e = cudaMalloc(&lane.device, n * sizeof(int));
        if (e != cudaSuccess) return Outcome::of(e);
        for (int i = 0; i < n; ++i) lane.raw[i] = (i * 13 + static_cast<int>(l) * 5) % 401 - 200;
    }
    return {};
}

Outcome Probe::scan(int lanes) {
    const std::size_t bytes = static_cast<std::size_t>(lines_) * samples_ * sizeof(int);
    for (int l = 0; l < lanes; ++l) {
        Lane& lane = lanes_[l];
        Outcome o = Outcome::of(
            cudaMemcpyAsync(lane.device, lane.raw, bytes, cudaMemcpyHostToDevice, lane.stream));
        for (auto& stage : stages_) {
            if (o) o = stage->apply(View{lane.device, lines_, samples_}, lane.stream);
        }
        if (o) o = Outcome::of(cudaMemcpyAsync(lane.image, lane.device, bytes, cudaMemcpyDeviceToHost, lane.stream));
        if (!o) return o;
    }
    for (int l = 0; l < lanes; ++l) {
        Outcome o = Outcome::of(cudaStreamSynchronize(lanes_[l].stream));
        if (!o) return o;
    }
    return {};
}

int Probe::mismatches() const {
    int bad = 0;
    std::vector<int> a(samples_), b(samples_);
    for (const Lane& lane : lanes_) {
        for (int y = 0; y < lines_; ++y) {
            for (int x = 0; x < samples_; ++x) a[x] = std::abs(lane.raw[y * samples_ + x]);
            for (int pass = 0; pass < 2; ++pass) {
                for (int x = 0; x < samples_; ++x) b[x] = (a[x] + a[x ? x - 1 : 0]) / 2;
                a.swap(b);
            }
            for (int x = 0; x < samples_; ++x) {
                const int want = a[x] > 64 ? 64 + (a[x] - 64) / 4 : a[x];
                bad += lane.image[y * samples_ + x] != want;
            }
        }
    }
    return bad;
}

Probe::~Probe() {
    for (Lane& lane : lanes_) {
        cudaFree(lane.device);
        if (lane.image) cudaFreeHost(lane.image);
        if (lane.raw) cudaFreeHost(lane.raw);
        if (lane.stream) cudaStreamDestroy(lane.stream);
    }
}

}  // namespace echo

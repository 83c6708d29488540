#include <chrono>
#include <functional>
#include <vector>

#include <cub/device/device_reduce.cuh>

#include "common.h"
#include "shot_library.h"

using namespace migrate;

__global__ void filter(const uint32_t* in, uint32_t* out, int n, int band) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = band_pass(in[i ? i - 1 : n - 1], in[i], in[i + 1 < n ? i + 1 : 0], band);
}

__global__ void stack_bands(uint32_t* image, const uint32_t* bands, int n, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t sum = 0;
    for (int b = 0; b < count; ++b) sum += bands[size_t(b) * n + i];
    image[i] = sum;
}

class Migration {
public:
    Migration(const Settings& s) : s_(s), grid_((s.traces + 255) / 256), side_(s.bands), joined_(s.bands) {
        ok(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
        for (auto& st : side_) ok(cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking));
        for (auto& e : joined_) ok(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        ok(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
        ok(cudaMalloc(&input_, bytes()));
        ok(cudaMalloc(&bands_, bytes() * s.bands));
        ok(cudaMalloc(&image_, bytes()));
        ok(cudaMalloc(&energy_, sizeof(uint32_t)));
        ok(cub::DeviceReduce::Sum(nullptr, temp_bytes_, image_, energy_, s.traces, main_));
        ok(cudaMalloc(&temp_, temp_bytes_));
        ok(cudaMallocHost(&energies_, sizeof(uint32_t) * s.shots * s.passes));
    }
    ~Migration() {
        if (exec_) cudaGraphExecDestroy(exec_);
        for (void* p : {(void*)input_, (void*)bands_, (void*)image_, (void*)energy_, temp_}) cudaFree(p);
        cudaFreeHost(energies_);
        for (auto& e : joined_) cudaEventDestroy(e);
        cudaEventDestroy(forked_);
        for (auto& st : side_) cudaStreamDestroy(st);
        cudaStreamDestroy(main_);
    }

    void build(ShotLibrary& library) {
        cudaGraph_t graph{};
        ok(cudaStreamBeginCapture(main_, cudaStreamCaptureModeThreadLocal));
        library.open();
        ok(cudaEventRecord(forked_, main_));
        for (int b = 0; b < s_.bands; ++b) {
            ok(cudaStreamWaitEvent(side_[b], forked_, 0));
            uint32_t* smooth = nullptr;
            ok(cudaMallocAsync(&smooth, bytes(), side_[b]));
            filter<<<grid_, 256, 0, side_[b]>>>(input_, smooth, s_.traces, b);
            filter<<<grid_, 256, 0, side_[b]>>>(smooth, bands_ + size_t(b) * s_.traces, s_.traces, b);
            ok(cudaFreeAsync(smooth, side_[b]));
            ok(cudaEventRecord(joined_[b], side_[b]));
        }
        library.join();
        for (auto& e : joined_) ok(cudaStreamWaitEvent(main_, e, 0));
        stack_bands<<<grid_, 256, 0, main_>>>(image_, bands_, s_.traces, s_.bands);
        ok(cub::DeviceReduce::Sum(temp_, temp_bytes_, image_, energy_, s_.traces, main_));
        ok(cudaStreamEndCapture(main_, &graph));
        ok(cudaGraphInstantiate(&exec_, graph, 0));
        ok(cudaGraphDestroy(graph));
    }

    void image(const uint32_t* shot, int slot, int passes) {
        ok(cudaMemcpyAsync(input_, shot, bytes(), cudaMemcpyDeviceToDevice, main_));
        for (int p = 0; p < passes; ++p) {
            ok(cudaGraphLaunch(exec_, main_));
            ok(cudaMemcpyAsync(energies_ + slot * passes + p, energy_, sizeof(uint32_t), cudaMemcpyDeviceToHost, main_));
            ok(cudaMemcpyAsync(input_, image_, bytes(), cudaMemcpyDeviceToDevice, main_));
        }
    }
    const uint32_t* finish() {
        ok(cudaStreamSynchronize(main_));
        return energies_;
    }

private:
    size_t bytes() const { return sizeof(uint32_t) * s_.traces; }
    const Settings s_;
    const int grid_;
    cudaStream_t main_{};
    std::vector<cudaStream_t> side_;
    std::vector<cudaEvent_t> joined_;
    cudaEvent_t forked_{};
    cudaGraphExec_t exec_{};
    uint32_t *input_ = nullptr, *bands_ = nullptr, *image_ = nullptr, *energy_ = nullptr, *energies_ = nullptr;
    void* temp_ = nullptr;
    size_t temp_bytes_ = 0;
};

static std::vector<uint32_t> expected(const Settings& s, int shot) {
    const int n = s.traces;
    std::vector<uint32_t> in(n), smooth(n), image(n), energies;
    for (int i = 0; i < n; ++i) in[i] = sample(shot, i);
    auto pass = [n](const std::vector<uint32_t>& a, int i, int b) {
        return band_pass(a[i ? i - 1 : n - 1], a[i], a[i + 1 < n ? i + 1 : 0], b);
    };
    for (int p = 0; p < s.passes; ++p) {
        std::fill(image.begin(), image.end(), 0u);
        for (int b = 0; b < s.bands; ++b) {
            for (int i = 0; i < n; ++i) smooth[i] = pass(in, i, b);
            for (int i = 0; i < n; ++i) image[i] += pass(smooth, i, b);
        }
        uint32_t e = 0;
        for (uint32_t v : image) e += v;
        energies.push_back(e);
        in = image;
    }
    return energies;
}

int main(int argc, char** argv) {
    const Settings s = settings(argc, argv);
    int wrong = 0;
    {
        ShotLibrary library(s);
        Migration migration(s);
        migration.build(library);
        auto t0 = std::chrono::steady_clock::now();
        for (int k = 0; k < s.shots; ++k) migration.image(library.shot(k), k, s.passes);
        const uint32_t* got = migration.finish();
        double sec = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
        std::printf("%.1f Mtraces/s\n", 1e-6 * s.traces * s.shots * s.passes / sec);
        for (int k = 0; k < s.shots; ++k) {
            auto want = expected(s, k);
            for (int p = 0; p < s.passes; ++p) wrong += got[k * s.passes + p] != want[p];
        }
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}

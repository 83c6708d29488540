#include "batch_plan.hpp"

#include <atomic>
#include <future>
#include <map>
#include <thread>

namespace {

// Streams further model shards in while plans are being recorded.
class ShardLoader {
public:
    explicit ShardLoader(int shards) {
        worker_ = std::thread([this, shards] {
            auto stream = rt::makeStream();
            rt::Pinned<int> block(1024);
            for (int s = 0; s < shards; ++s) {
                for (int i = 0; i < 1024; ++i) block[i] = s;
                int* d = nullptr;
                rt::require(cudaMalloc(&d, block.bytes()));
                rt::require(cudaMemcpyAsync(d, block.data(), block.bytes(), cudaMemcpyHostToDevice, stream.get()));
                rt::require(cudaStreamSynchronize(stream.get()));
                shards_.push_back(d);
            }
        });
    }
    int verify() {
        worker_.join();
        int bad = 0;
        for (size_t s = 0; s < shards_.size(); ++s) {
            int last = -1;
            rt::require(cudaMemcpy(&last, shards_[s] + 1023, sizeof(int), cudaMemcpyDeviceToHost));
            bad += last != int(s);
            cudaFree(shards_[s]);
        }
        return bad;
    }

private:
    std::thread worker_;
    std::vector<int*> shards_;
};

int weightAt(int f) { return f % 13 + 1; }

int* uploadWeights() {
    std::vector<int> w(BatchPlan::kFeatures);
    for (int f = 0; f < BatchPlan::kFeatures; ++f) w[f] = weightAt(f);
    int* d = nullptr;
    rt::require(cudaMalloc(&d, w.size() * sizeof(int)));
    rt::require(cudaMemcpy(d, w.data(), w.size() * sizeof(int), cudaMemcpyHostToDevice));
    rt::require(cudaDeviceSynchronize());
    return d;
}

int exercise(BatchPlan& plan, int round) {
    const int n = plan.batch() * BatchPlan::kFeatures;
    for (int i = 0; i < n; ++i) plan.input()[i] = i * 3 + round;
    const int* out = plan.run();
    int bad = 0;
    for (int i = 0; i < n; ++i) {
        const int x = i * 3 + round;
        bad += out[i] != x * weightAt(i % BatchPlan::kFeatures) * ((x & 1) ? 1 : 2);
    }
    return bad;
}

}  // namespace

int main() {
    if (!BatchPlan::supported()) {
        std::printf("ERROR blockSize\n");
        return 1;
    }
    int* weights = uploadWeights();
    int bad = 0;
    {
        ShardLoader loader(32);
        std::map<int, std::future<std::unique_ptr<BatchPlan>>> building;
        for (int batch : {1, 8, 32, 64})
            building.emplace(batch, std::async(std::launch::async,
                                               [=] { return std::make_unique<BatchPlan>(batch, weights); }));
        std::map<int, std::unique_ptr<BatchPlan>> plans;
        for (auto& [batch, f] : building) plans[batch] = f.get();

        for (int round = 0; round < 5; ++round)
            for (auto& [batch, plan] : plans) bad += exercise(*plan, round);
        bad += loader.verify();
    }
    rt::require(cudaFree(weights));
    std::printf(bad ? "WRONG %d\n" : "DONE\n", bad);
    return 0;
}

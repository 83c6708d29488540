#include <array>
#include <optional>
#include <vector>

#include "capture.h"

namespace rec {

constexpr int kItems = 8192;
constexpr int kTowers = 3;

__global__ void embed(const int* user, int* out, int n, int tower) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = user[0] * (tower + 1) + (i % 13);
}

__global__ void merge(const int* a, const int* b, const int* c, int* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, a[i] + b[i] + c[i]);
}

class Recommender {
public:
    Recommender() {
        chk(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
        for (auto& s : side_) chk(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        chk(cudaHostAlloc(reinterpret_cast<void**>(&request_), sizeof(int), cudaHostAllocDefault));
        chk(cudaHostAlloc(reinterpret_cast<void**>(&answer_), sizeof(int), cudaHostAllocDefault));
    }
    Recommender(const Recommender&) = delete;
    ~Recommender() {
        cudaFreeHost(answer_);
        cudaFreeHost(request_);
        for (auto s : side_) cudaStreamDestroy(s);
        cudaStreamDestroy(main_);
    }

    int recommend(int user) {
        if (!graph_) graph_.emplace(record());
        *request_ = user;
        graph_->launch(main_);
        chk(cudaStreamSynchronize(main_));
        return *answer_;
    }

private:
    struct Fork {
        cudaEvent_t e;
        explicit Fork(cudaStream_t from) {
            chk(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
            chk(cudaEventRecord(e, from));
        }
        ~Fork() { cudaEventDestroy(e); }
        void into(cudaStream_t to) const { chk(cudaStreamWaitEvent(to, e, 0)); }
    };

    Graph record() {
        chk(cudaStreamBeginCapture(main_, cudaStreamCaptureModeGlobal));
        int* user = work_.area("user", 1);
        int* total = work_.area("total", 1);
        chk(cudaMemcpyAsync(user, request_, sizeof(int), cudaMemcpyHostToDevice, main_));
        chk(cudaMemsetAsync(total, 0, sizeof(int), main_));

        std::array<int*, kTowers> towers{};
        {
            const Fork fork(main_);
            for (int t = 0; t < kTowers; ++t) {
                cudaStream_t s = t == 0 ? main_ : side_[t - 1];
                towers[t] = work_.area("tower" + std::to_string(t), kItems);
                if (s != main_) fork.into(s);
                embed<<<kItems / 256, 256, 0, s>>>(user, towers[t], kItems, t);
                chk(cudaGetLastError());
            }
        }
        for (auto s : side_) Fork(s).into(main_);
        merge<<<kItems / 256, 256, 0, main_>>>(towers[0], towers[1], towers[2], total, kItems);
        chk(cudaGetLastError());
        chk(cudaMemcpyAsync(answer_, total, sizeof(int), cudaMemcpyDeviceToHost, main_));

        cudaGraph_t g = nullptr;
        chk(cudaStreamEndCapture(main_, &g));
        return Graph(g);
    }

    Workspace work_;
    std::optional<Graph> graph_;
    cudaStream_t main_{};
    std::array<cudaStream_t, kTowers - 1> side_{};
    int* request_ = nullptr;
    int* answer_ = nullptr;
};

int expected(int user) {
    int sum = 0;
    for (int i = 0; i < kItems; ++i) sum += user * (1 + 2 + 3) + 3 * (i % 13);
    return sum;
}

}  // namespace rec

int main() {
    int bad = 0;
    {
        rec::Recommender r;
        for (int user = 1; user <= 200; ++user) bad += r.recommend(user) != rec::expected(user);
    }
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return bad != 0;
}

// Time stepping with asynchronous checkpoints written by a background thread.
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#define CHK(x)                                                                     \
    do {                                                                           \
        if (cudaError_t e_ = (x); e_ != cudaSuccess) {                             \
            std::fprintf(stderr, "%s (%d): %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
            std::exit(1);                                                          \
        }                                                                          \
    } while (0)

constexpr int kSlots = 2;

struct Ticket { int step; int slot; cudaEvent_t ready; };
struct Shutdown {};
using Message = std::variant<Ticket, Shutdown>;

class CheckpointWriter {
public:
    CheckpointWriter(std::string prefix, size_t count) : prefix_(std::move(prefix)), count_(count) {
        for (auto& s : slot_) CHK(cudaMallocHost(&s, count * sizeof(float)));
        thread_ = std::thread([this] { loop(); });
    }
    ~CheckpointWriter() {
        post(Shutdown{});
        thread_.join();
        for (auto s : slot_) cudaFreeHost(s);
    }
    void post(Message m) {
        { std::lock_guard<std::mutex> l(m_); q_.push(std::move(m)); }
        cv_.notify_all();
    }
    void acquire(int slot) {
        std::unique_lock<std::mutex> l(m_);
        cv_.wait(l, [&] { return !busy_[slot]; });
        busy_[slot] = true;
    }
    float* buffer(int slot) { return slot_[slot]; }

private:
    void loop() {
        CHK(cudaSetDevice(0));
        for (;;) {
            std::unique_lock<std::mutex> l(m_);
            cv_.wait(l, [&] { return !q_.empty(); });
            Message msg = q_.front();
            q_.pop();
            l.unlock();
            if (std::holds_alternative<Shutdown>(msg)) return;
            const Ticket t = std::get<Ticket>(msg);
            CHK(cudaEventSynchronize(t.ready));
            const std::string path = prefix_ + "." + std::to_string(t.step);
            if (FILE* f = std::fopen(path.c_str(), "wb")) {
                std::fwrite(slot_[t.slot], sizeof(float), count_, f);
                std::fclose(f);
            }
            l.lock();
            busy_[t.slot] = false;
            l.unlock();
            cv_.notify_all();
        }
    }
    std::string prefix_;
    size_t count_;
    float* slot_[kSlots] = {};
    bool busy_[kSlots] = {};
    std::mutex m_;
    std::condition_variable cv_;
    std::queue<Message> q_;
    std::thread thread_;
};

struct Gate { CheckpointWriter* writer; int slot; };
static void CUDART_CB wait_for_slot(void* p) {
    auto* g = static_cast<Gate*>(p);
    g->writer->acquire(g->slot);
}

__global__ void advance(float* u, size_t n, float t) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        u[i] = 0.99f * u[i] + 0.01f * sinf(t + 1e-3f * i);
}

int main(int argc, char** argv) {
    const size_t n = size_t(1) << 22;
    const int steps = argc > 1 ? std::atoi(argv[1]) : 100;
    const int every = argc > 2 ? std::atoi(argv[2]) : 10;
    const std::string prefix = argc > 3 ? argv[3] : "/tmp/ckpt";

    float* u = nullptr;
    cudaStream_t stream;
    CHK(cudaMalloc(&u, n * sizeof(float)));
    CHK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHK(cudaMemsetAsync(u, 0, n * sizeof(float), stream));
    std::vector<std::unique_ptr<Gate>> gates;
    std::vector<Ticket> tickets;
    {
        CheckpointWriter writer(prefix, n);
        for (int s = 1; s <= steps; ++s) {
            advance<<<256, 256, 0, stream>>>(u, n, 0.01f * s);
            CHK(cudaGetLastError());
            if (s % every) continue;
            Ticket t{s, int(tickets.size()) % kSlots, nullptr};
            CHK(cudaEventCreateWithFlags(&t.ready, cudaEventDisableTiming));
            gates.push_back(std::make_unique<Gate>(Gate{&writer, t.slot}));
            CHK(cudaLaunchHostFunc(stream, wait_for_slot, gates.back().get()));
            CHK(cudaMemcpyAsync(writer.buffer(t.slot), u, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
            CHK(cudaEventRecord(t.ready, stream));
            tickets.push_back(t);
        }
        CHK(cudaStreamSynchronize(stream));
        for (const Ticket& t : tickets) writer.post(t);
    }
    for (const Ticket& t : tickets) CHK(cudaEventDestroy(t.ready));
    std::printf("%zu checkpoints written to %s.*\n", tickets.size(), prefix.c_str());
    CHK(cudaFree(u));
    CHK(cudaStreamDestroy(stream));
    return 0;
}

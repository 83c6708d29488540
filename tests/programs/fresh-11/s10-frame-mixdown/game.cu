// Frame loop of a small game: emitters are simulated on the GPU, a mixer thread derives
// the loudness of the frame, and the frame is presented with the gain that belongs to it.
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "mixer.h"

namespace {

constexpr int kEmitters = 1024;
constexpr int kFrames = 6;
constexpr unsigned long long kStepNanos = 20ull * 1000 * 1000;

__device__ unsigned long long nanos() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void simulate(float* state, int n, float step) {
    const unsigned long long begin = nanos();
    while (nanos() - begin < kStepNanos) {
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) state[i] += step;
}

struct PresentJob {
    FrameTicket* ticket;
    std::vector<float>* log;
};

void CUDART_CB presentFrame(void* user) {
    auto* job = static_cast<PresentJob*>(user);
    const float gain = job->ticket->gain.get();
    (*job->log)[job->ticket->index] = gain * 0.5f;
}

class Game {
public:
    Game() : shown_(kFrames, -1.0f) {
        must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        must(cudaMalloc(&state_, kEmitters * sizeof(float)));
        std::vector<float> initial(kEmitters);
        for (int i = 0; i < kEmitters; ++i) initial[i] = static_cast<float>(i % 8);
        must(cudaMemcpy(state_, initial.data(), kEmitters * sizeof(float), cudaMemcpyHostToDevice));
        for (int f = 0; f < kFrames; ++f) {
            auto ticket = std::make_unique<FrameTicket>();
            ticket->index = f;
            ticket->emitters = kEmitters;
            ticket->gain = ticket->gainPromise.get_future();
            must(cudaMallocHost(&ticket->energy, kEmitters * sizeof(float)));
            must(cudaEventCreateWithFlags(&ticket->simulated, cudaEventDisableTiming));
            jobs_.push_back(PresentJob{ticket.get(), &shown_});
            tickets_.push_back(std::move(ticket));
        }
    }

    ~Game() {
        for (auto& ticket : tickets_) {
            cudaEventDestroy(ticket->simulated);
            cudaFreeHost(ticket->energy);
        }
        cudaFree(state_);
        cudaStreamDestroy(stream_);
    }

    void submit(int frame, AudioMixer& mixer) {
        FrameTicket* ticket = tickets_[frame].get();
        simulate<<<(kEmitters + 255) / 256, 256, 0, stream_>>>(state_, kEmitters, 1.0f);
        must(cudaGetLastError());
        must(cudaMemcpyAsync(ticket->energy, state_, kEmitters * sizeof(float),
                             cudaMemcpyDeviceToHost, stream_));
        must(cudaEventRecord(ticket->simulated, stream_));
        must(cudaLaunchHostFunc(stream_, presentFrame, &jobs_[frame]));
        mixer.enqueue(ticket);
    }

    void finish() { must(cudaStreamSynchronize(stream_)); }

    int check() const {
        int wrong = 0;
        for (int f = 0; f < kFrames; ++f) {
            const float expected = (3.5f + static_cast<float>(f + 1)) * 0.5f;
            if (std::fabs(shown_[f] - expected) > 1e-4f) ++wrong;
        }
        return wrong;
    }

private:
    cudaStream_t stream_ = nullptr;
    float* state_ = nullptr;
    std::vector<std::unique_ptr<FrameTicket>> tickets_;
    std::vector<PresentJob> jobs_;
    std::vector<float> shown_;
};

}  // namespace

int main() {
    int wrong = 0;
    {
        Game game;
        AudioMixer mixer;
        for (int frame = 0; frame < kFrames; ++frame) game.submit(frame, mixer);
        game.finish();
        mixer.stop();
        wrong = game.check();
    }
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}

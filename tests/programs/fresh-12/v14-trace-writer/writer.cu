// Moveout correction of marine gathers. Finished gathers go to the tape thread
// through a short shelf; the tape is slower than the device.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "gather.cuh"
#include "shelf.h"

namespace seis {

#define SEIS(call) ::seis::checked((call), __LINE__)
inline void checked(cudaError_t e, int line) {
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Finished {
    int gather;
    const int32_t* samples;
};

class Tape {
public:
    Tape() : thread_([this] { spool(); }) {}
    void store(Finished f) { shelf_.put(f); }
    void rewind() {
        shelf_.shut();
        thread_.join();
    }
    int written() const { return written_; }
    long damaged() const { return damaged_; }

private:
    void spool() {
        while (auto f = shelf_.take()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(12));
            for (int i = 0; i < kSamples; ++i) {
                const int32_t want =
                    moveout(recorded(f->gather, i), recorded(f->gather, (i + 1) % kSamples), f->gather);
                if (f->samples[i] != want) ++damaged_;
            }
            ++written_;
        }
    }
    int written_ = 0;
    long damaged_ = 0;
    Shelf<Finished> shelf_{2};
    std::thread thread_;
};

struct Ticket {
    Tape* tape;
    Finished finished;
};

void CUDART_CB deliver(void* arg) {
    auto* t = static_cast<Ticket*>(arg);
    t->tape->store(t->finished);
}

class Streamer {
public:
    Streamer(int cable, int gathers, Tape& tape) : first_(cable * gathers), gathers_(gathers) {
        SEIS(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        SEIS(cudaMalloc(&raw_, kSamples * sizeof(int32_t)));
        SEIS(cudaMalloc(&corrected_, kSamples * sizeof(int32_t)));
        SEIS(cudaMallocHost(&rows_, size_t(gathers) * kSamples * sizeof(int32_t)));
        for (int g = 0; g < gathers; ++g) {
            tickets_.push_back(Ticket{&tape, Finished{first_ + g, rows_ + size_t(g) * kSamples}});
        }
    }
    ~Streamer() {
        cudaFreeHost(rows_);
        cudaFree(corrected_);
        cudaFree(raw_);
        cudaStreamDestroy(stream_);
    }
    Streamer(const Streamer&) = delete;
    Streamer& operator=(const Streamer&) = delete;

    void tow(int g) {
        shoot<<<8, 256, 0, stream_>>>(raw_, first_ + g);
        SEIS(cudaGetLastError());
        correct<<<8, 256, 0, stream_>>>(raw_, corrected_, first_ + g, 5000000ull);
        SEIS(cudaGetLastError());
        SEIS(cudaMemcpyAsync(rows_ + size_t(g) * kSamples, corrected_, kSamples * sizeof(int32_t),
                             cudaMemcpyDeviceToHost, stream_));
        SEIS(cudaLaunchHostFunc(stream_, deliver, &tickets_[g]));
    }
    void settle() { SEIS(cudaStreamSynchronize(stream_)); }
    int gathers() const { return gathers_; }

private:
    int first_, gathers_;
    cudaStream_t stream_ = nullptr;
    int32_t *raw_ = nullptr, *corrected_ = nullptr, *rows_ = nullptr;
    std::vector<Ticket> tickets_;
};

}  // namespace seis

int main() {
    constexpr int kCables = 3, kGathers = 8;
    SEIS(cudaSetDevice(0));

    seis::Tape tape;
    long wrong = 0;
    {
        std::vector<std::unique_ptr<seis::Streamer>> cables;
        for (int c = 0; c < kCables; ++c) cables.push_back(std::make_unique<seis::Streamer>(c, kGathers, tape));
        for (int g = 0; g < kGathers; ++g) {
            for (auto& c : cables) c->tow(g);
        }
        for (auto& c : cables) c->settle();
        tape.rewind();
        wrong = tape.damaged() + (kCables * kGathers - tape.written());
    }
    std::fprintf(stderr, "%d gathers on tape\n", tape.written());
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

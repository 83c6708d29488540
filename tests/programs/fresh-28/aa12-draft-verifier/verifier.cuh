#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

inline void expect(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

// Shared between host and the verifier grid.
struct Desk {
    // written by the host
    uint32_t round;
    uint32_t leave;
    uint32_t position;     // of the first drafted token
    uint32_t last;         // token before it
    // written by the device
    uint32_t done;
    uint32_t accepted;     // length of the accepted prefix
    uint32_t correction;   // target's token after the prefix
};

// The target model keeps its weights in shared memory and registers, so its
// grid stays on the device for a whole session.
class Verifier {
public:
    explicit Verifier(const uint32_t* drafts);
    ~Verifier();
    Verifier(const Verifier&) = delete;
    Verifier& operator=(const Verifier&) = delete;

    void begin_session();
    void end_session();

    struct Verdict {
        uint32_t accepted;
        uint32_t correction;
    };
    Verdict verify(uint32_t position, uint32_t last);

private:
    const uint32_t* drafts_;
    cudaStream_t stream_ = nullptr;
    volatile Desk* desk_ = nullptr;
    Desk* desk_device_ = nullptr;
    uint32_t* scratch_ = nullptr;
    uint32_t round_ = 0;
    bool running_ = false;
};

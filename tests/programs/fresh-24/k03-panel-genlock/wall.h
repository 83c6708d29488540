#pragma once
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#define WALL_CU(call)                                         \
    do {                                                      \
        CUresult r_ = (call);                                 \
        if (r_ != CUDA_SUCCESS) {                             \
            const char* n_ = "CUDA_ERROR_UNKNOWN";            \
            cuGetErrorName(r_, &n_);                          \
            std::printf("ERROR %s\n", n_);                    \
            std::fflush(stdout);                              \
            std::_Exit(2);                                    \
        }                                                     \
    } while (0)

namespace wall {
struct PanelSpec {
    std::string name;
    int latency;        // ticks between a frame's number and its appearance
    int pixels;
};

struct ShowSpec {
    int frames = 12;
    long long composeNs = 2000000;
    std::vector<PanelSpec> panels;
};

// What a panel writes for a frame: kept for the check after the show.
struct Shown {
    unsigned checksum;
    unsigned tick;
};

CUfunction composeFunction();

#ifdef __CUDACC__
__host__ __device__
#endif
inline unsigned pixelOf(int panel, int frame, int i) {
    return (unsigned)(panel * 131 + 17) * (unsigned)(frame * 257 + i) ^ (unsigned)i;
}

class Panel {
public:
    Panel(int id, const PanelSpec& spec, const ShowSpec& show, CUdeviceptr tickWord);
    ~Panel();
    Panel(const Panel&) = delete;

    void enqueue(int frame);
    CUevent shown(int frame) const;
    void finish();

    int id() const { return id_; }
    int latency() const { return spec_.latency; }
    const std::string& name() const { return spec_.name; }
    std::vector<Shown> log() const;
private:
    int id_;
    PanelSpec spec_;
    long long composeNs_;
    CUdeviceptr tickWord_;
    CUstream stream_ = nullptr;
    CUdeviceptr surface_ = 0;
    CUdeviceptr log_ = 0;
    std::vector<CUevent> shown_;
};

// House clock of the wall. A tick goes out when everything that belongs on glass
// at the tick before has been composed, so that no panel tears.
class HouseClock {
public:
    HouseClock();
    ~HouseClock();
    HouseClock(const HouseClock&) = delete;

    CUdeviceptr word() const { return word_; }
    void attach(const Panel* p) { panels_.push_back(p); }
    void advance(int tick);
    void finish();
private:
    CUstream stream_ = nullptr;
    CUdeviceptr word_ = 0;
    std::vector<const Panel*> panels_;
};
}  // namespace wall

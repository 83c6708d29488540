#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace telemetry {

struct Summary {
    int packet = -1;
    double energy = 0.0;
};

// One execution lane of the ground station: a stream and its device scratch.
class Lane {
public:
    explicit Lane(std::size_t samples);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    cudaStream_t stream() const { return stream_; }
    float* samples() const { return samples_; }
    double* energy() const { return energy_; }

private:
    cudaStream_t stream_ = nullptr;
    float* samples_ = nullptr;
    double* energy_ = nullptr;
};

// A packet on its way through a lane. Its host side is page-locked.
struct Packet {
    class Dispatcher* owner = nullptr;
    int id = -1;
    float* samples = nullptr;
    double* energy = nullptr;

    explicit Packet(std::size_t count);
    ~Packet();
};

class Dispatcher {
public:
    Dispatcher(int lanes, std::size_t samplesPerPacket);

    std::unique_ptr<Packet> makePacket(int id) const;
    void submit(std::unique_ptr<Packet> packet);

    // Everything submitted so far has been summarised on return.
    std::vector<Summary> drain();

private:
    static void CUDART_CB onPacket(void* user);
    void retire(Packet* packet);

    std::size_t samples_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::mutex mutex_;
    std::map<int, std::unique_ptr<Packet>> inFlight_;
    std::vector<std::unique_ptr<Packet>> retired_;
    std::vector<Summary> summaries_;
};

}  // namespace telemetry

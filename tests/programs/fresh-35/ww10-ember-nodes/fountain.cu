// Particle fountain: a headless run of 24 frames through an explicit task graph,
// compared with the CPU simulation.
#include "node_graph.hpp"
#include <array>
#include <cstdint>

using namespace taskgraph;

namespace {

constexpr unsigned frames = 24, particles = 32768, bins = 64, group = 256;
constexpr unsigned in_flight = 2;

struct FrameConstants {
    std::uint32_t frame, seed;
    std::int32_t gravity, wind;
};

__global__ void simulate(const FrameConstants* fc, int* position, int* velocity)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned jitter = ((i + 1) * 2246822519u ^ fc->seed) >> 24;
    const int v = velocity[i] + int(jitter) + fc->wind - fc->gravity;
    velocity[i] = v;
    position[i] += v;
}

__global__ void count(const int* position, unsigned* histogram)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&histogram[(unsigned(position[i]) >> 4) % bins], 1u);
}

__global__ void expose(const FrameConstants* fc, const unsigned* histogram, unsigned* exposure)
{
    unsigned weighted = 0;
    for (unsigned b = 0; b < bins; ++b) weighted += b * histogram[b];
    exposure[fc->frame] = weighted;
}

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t n)
    {
        require(cudaMalloc(&data_, n * sizeof(T)));
        require(cudaMemset(data_, 0, n * sizeof(T)));
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    operator T*() const { return data_; }

private:
    T* data_ = nullptr;
};

// Page-locked constants, one slot for each frame in flight.
class Staging {
public:
    Staging()
    {
        require(cudaMallocHost(&slots_, in_flight * sizeof(FrameConstants)));
        for (cudaEvent_t& e : retired_) require(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    }
    ~Staging()
    {
        for (cudaEvent_t e : retired_) cudaEventDestroy(e);
        cudaFreeHost(slots_);
    }
    FrameConstants* slot(unsigned frame) { return slots_ + frame % in_flight; }

    FrameConstants* open(unsigned frame)
    {
        if (frame >= in_flight) require(cudaEventSynchronize(retired_[frame % in_flight]));
        return slot(frame);
    }
    void close(unsigned frame, cudaStream_t stream)
    {
        require(cudaEventRecord(retired_[frame % in_flight], stream));
    }

private:
    FrameConstants* slots_ = nullptr;
    std::array<cudaEvent_t, in_flight> retired_{};
};

FrameConstants script(unsigned frame)
{
    return {frame, frame * 2654435761u + 17u, int(90 + (frame * 7) % 11), int(frame * frame % 13)};
}

int verify(const std::vector<int>& position, const std::vector<unsigned>& exposure)
{
    int wrong = 0;
    std::vector<int> p(particles), v(particles);
    for (unsigned f = 0; f < frames; ++f) {
        const FrameConstants fc = script(f);
        unsigned weighted = 0;
        for (unsigned i = 0; i < particles; ++i) {
            const unsigned jitter = ((i + 1) * 2246822519u ^ fc.seed) >> 24;
            v[i] += int(jitter) + fc.wind - fc.gravity;
            p[i] += v[i];
            weighted += (unsigned(p[i]) >> 4) % bins;
        }
        wrong += exposure[f] != weighted;
    }
    for (unsigned i = 0; i < particles; ++i) wrong += position[i] != p[i];
    return wrong;
}

}  // namespace

int main()
{
    int wrong = 0;
    {
        DeviceArray<FrameConstants> constants(1);
        DeviceArray<int> position(particles), velocity(particles);
        DeviceArray<unsigned> histogram(bins), exposure(frames);
        Staging staging;
        cudaStream_t stream;
        require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

        Builder build;
        const unsigned groups = particles / group;
        const Upload upload = build.upload({}, constants, staging.slot(0), sizeof(FrameConstants));
        const Node cleared = build.zero({}, histogram, bins * sizeof(unsigned));
        const Node moved = build.kernel({upload.node}, simulate, groups, group, constants, position, velocity);
        const Node counted = build.kernel({moved, cleared}, count, groups, group, position, histogram);
        build.kernel({counted}, expose, 1, 1, constants, histogram, exposure);
        Executor frame_graph = build.compile();
        require(cudaDeviceSynchronize());

        for (unsigned f = 0; f < frames; ++f) {
            FrameConstants* fc = staging.open(f);
            *fc = script(f);
            frame_graph.rebind(upload, fc);
            frame_graph.run(stream);
            staging.close(f, stream);
        }
        require(cudaStreamSynchronize(stream));

        std::vector<int> p(particles);
        std::vector<unsigned> e(frames);
        require(cudaMemcpy(p.data(), position, particles * sizeof(int), cudaMemcpyDeviceToHost));
        require(cudaMemcpy(e.data(), exposure, frames * sizeof(unsigned), cudaMemcpyDeviceToHost));
        wrong = verify(p, e);
        require(cudaStreamDestroy(stream));
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
}

#include "survey.cuh"

namespace seis {

namespace {

__device__ unsigned long long now_ns()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void migrate(const float* traces, float* image, int n, int shot, unsigned long long effort_ns)
{
    const unsigned long long begin = now_ns();
    while (now_ns() - begin < effort_ns) __nanosleep(2000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        image[i] = traces[i] * 3.0f + static_cast<float>(shot);
}

DeviceTraces allocate(std::size_t count)
{
    void* raw = nullptr;
    require(cudaMalloc(&raw, count * sizeof(float)));
    return DeviceTraces(static_cast<float*>(raw));
}

struct LineStream {
    LineStream() { require(cudaStreamCreateWithFlags(&id, cudaStreamNonBlocking)); }
    ~LineStream() { cudaStreamDestroy(id); }
    cudaStream_t id{};
};

}  // namespace

std::vector<float> process_line(const SurveyConfig& cfg, SlabPool& pool, int line)
{
    const std::size_t bytes = cfg.samples * sizeof(float);
    const auto traces = allocate(cfg.samples * cfg.shots_per_line);
    const auto images = allocate(cfg.samples * cfg.shots_per_line);
    const LineStream stream;

    const auto submit = [&](int shot) {
        float* device_traces = traces.get() + cfg.samples * shot;
        float* device_image = images.get() + cfg.samples * shot;

        const Slab slab = pool.lease();
        for (std::size_t i = 0; i < cfg.samples; ++i) slab.get()[i] = trace_sample(line, shot, i);

        require(cudaMemcpyAsync(device_traces, slab.get(), bytes, cudaMemcpyHostToDevice, stream.id));
        migrate<<<32, 256, 0, stream.id>>>(device_traces, device_image, static_cast<int>(cfg.samples), shot, cfg.migrate_ns);
        require(cudaGetLastError());
    };

    for (int shot = 0; shot < cfg.shots_per_line; ++shot) submit(shot);

    require(cudaStreamSynchronize(stream.id));
    std::vector<float> result(cfg.samples * cfg.shots_per_line);
    require(cudaMemcpy(result.data(), images.get(), result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return result;
}

}  // namespace seis

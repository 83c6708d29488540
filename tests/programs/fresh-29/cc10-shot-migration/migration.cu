#include "migration.hpp"

namespace seis {

namespace {

__global__ void mute(const float *traces, float *muted)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    muted[i] = fabsf(traces[i]) > 0.875f ? 0.f : traces[i];
}

// Wave-equation propagation down to the target depth.
__global__ void propagate(const float *muted, float *field, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kSamples; i += gridDim.x * blockDim.x)
        field[i] = 0.5f * muted[i] + 0.25f * muted[(i + 1) % kSamples];
}

__global__ void image(const float *field, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = field[i] * 2.f - field[(i + kSamples - 1) % kSamples];
}

__global__ void bump(int *count) { *count += 1; }

} // namespace

Progress::Progress()
{
    SEIS_TRY(cudaHostAlloc(reinterpret_cast<void **>(&count_), sizeof(int), cudaHostAllocMapped));
    *count_ = 0;
}

Progress::~Progress() { cudaFreeHost(count_); }

void Progress::tick()
{
    bump<<<1, 1>>>(count_);
    SEIS_TRY(cudaGetLastError());
}

Migrator::Migrator(int lanes) : lanes_(lanes)
{
    configure_pool();
    for (auto &s : lanes_) SEIS_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

Migrator::~Migrator()
{
    for (auto s : lanes_) cudaStreamDestroy(s);
}

void Migrator::migrate(Shot &shot)
{
    cudaStream_t s = lanes_[turn_++ % lanes_.size()];
    const std::size_t bytes = kSamples * sizeof(float);
    shot.image.resize(kSamples);

    Scratch<float> traces(kSamples, s), muted(kSamples, s), field(kSamples, s);
    SEIS_TRY(cudaMemcpyAsync(traces, shot.traces.data(), bytes, cudaMemcpyHostToDevice, s));
    mute<<<kSamples / 256, 256, 0, s>>>(traces, muted);
    propagate<<<4, 256, 0, s>>>(muted, field, 30000000ull);
    image<<<kSamples / 256, 256, 0, s>>>(field, traces);
    SEIS_TRY(cudaGetLastError());
    SEIS_TRY(cudaMemcpyAsync(shot.image.data(), traces, bytes, cudaMemcpyDeviceToHost, s));
    if (on_queued_) on_queued_(shot);
}

void Migrator::settle()
{
    for (auto s : lanes_) SEIS_TRY(cudaStreamSynchronize(s));
}

float reference_image(const Samples &traces, int i)
{
    auto muted = [&](int k) {
        const float v = traces[(k + kSamples) % kSamples];
        return std::abs(v) > 0.875f ? 0.f : v;
    };
    auto field = [&](int k) { return 0.5f * muted(k) + 0.25f * muted(k + 1); };
    return field(i) * 2.f - field(i - 1);
}

} // namespace seis

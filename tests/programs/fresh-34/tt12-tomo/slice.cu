#include "slice.h"

#include <cmath>

namespace tomo {

namespace {

__global__ void back_project(const float *sino, float *image, int n, float w, unsigned long long ns)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    } while (b - a < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        image[i] = w * sino[i] + 1.0f;
}

constexpr std::size_t kBytes = kPixels * sizeof(float);
float ray(int id, int i) { return static_cast<float>((i * 5 + id * 3) % 71); }

} // namespace

Bench::Bench(int id) : id_(id)
{
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ok(cudaEventCreateWithFlags(&there_, cudaEventDisableTiming));
    ok(cudaMalloc(&d_sino_, kBytes));
    ok(cudaMalloc(&d_image_, kBytes));
    ok(cudaHostAlloc(&sino_, kBytes, cudaHostAllocWriteCombined));
    ok(cudaHostAlloc(&image_, kBytes, cudaHostAllocDefault));
    for (int i = 0; i < kPixels; ++i)
        sino_[i] = ray(id_, i);
}

Bench::~Bench()
{
    cudaStreamSynchronize(stream_);
    cudaFreeHost(image_);
    cudaFreeHost(sino_);
    cudaFree(d_image_);
    cudaFree(d_sino_);
    cudaEventDestroy(there_);
    cudaStreamDestroy(stream_);
}

void Bench::submit()
{
    ok(cudaMemcpyAsync(d_sino_, sino_, kBytes, cudaMemcpyHostToDevice, stream_));
    back_project<<<8, 256, 0, stream_>>>(d_sino_, d_image_, kPixels, 0.5f * (id_ + 1), 60'000'000ull);
    ok(cudaGetLastError());
    ok(cudaMemcpyAsync(image_, d_image_, kBytes, cudaMemcpyDeviceToHost, stream_));
    ok(cudaEventRecord(there_, stream_));
}

bool Bench::ready() const
{
    const auto e = cudaEventQuery(there_);
    if (e == cudaErrorNotReady) {
        cudaGetLastError();
        return false;
    }
    ok(e);
    return true;
}

long Bench::mismatches() const
{
    long bad = 0;
    for (int i = 0; i < kPixels; ++i)
        bad += !(std::fabs(image_[i] - (0.5f * (id_ + 1) * ray(id_, i) + 1.0f)) < 1e-3f);
    return bad;
}

tasks::Task::Next Setup::resume()
{
    struct Arrive {
        tasks::Latch &l;
        ~Arrive() { l.arrive(); }
    } arrive{latch_};
    into_ = std::make_unique<Bench>(id_);
    return Next::Done;
}

tasks::Task::Next Reconstruct::resume()
{
    switch (at_) {
    case At::Begin:
        bench_.submit();
        at_ = At::Running;
        return Next::Again;
    case At::Running:
        return bench_.ready() ? Next::Done : Next::Again;
    }
    return Next::Done;
}

} // namespace tomo

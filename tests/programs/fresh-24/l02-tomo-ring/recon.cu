#include "recon.h"

namespace tomo {

namespace {

__global__ void backProject(const Pixel* view, Pixel* volume, int n, int v, int us)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < 1000ull * us);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        volume[i] = volume[i] * 3u + view[i] * (2u * v + 1u);
}

}  // namespace

Reconstructor::Reconstructor(const Geometry& g)
    : geo_(g),
      frames_(static_cast<std::size_t>(g.pixels) * kFrames),
      device_(static_cast<std::size_t>(g.pixels) * kDevice),
      volume_(g.pixels)
{
    require(cudaDeviceSynchronize());
}

void Reconstructor::submit(int v)
{
    Event& sent = sent_[v % kFrames];
    Event& used = used_[v % kDevice];
    if (v >= kDevice)
        upload_.after(used);
    require(cudaMemcpyAsync(onDevice(v), frame(v), geo_.pixels * sizeof(Pixel), cudaMemcpyHostToDevice, upload_));
    sent.mark(upload_);

    compute_.after(sent);
    backProject<<<32, 256, 0, compute_>>>(onDevice(v), volume_.get(), geo_.pixels, v, geo_.voxel_us);
    require(cudaGetLastError());
    used.mark(compute_);
}

void Reconstructor::run(const Source& source)
{
    if (geo_.views == 0)
        return;
    source(0, frame(0));
    for (int v = 0; v < geo_.views; ++v) {
        // The detector reads out one view ahead of the one that is submitted.
        if (v >= kFrames)
            sent_[v % kFrames].block();
        if (v + 1 < geo_.views)
            source(v + 1, frame(v + 1));
        submit(v);
    }
    compute_.drain();
}

std::vector<Pixel> Reconstructor::volume() const
{
    std::vector<Pixel> out(geo_.pixels);
    require(cudaMemcpy(out.data(), volume_.get(), out.size() * sizeof(Pixel), cudaMemcpyDeviceToHost));
    return out;
}

}  // namespace tomo

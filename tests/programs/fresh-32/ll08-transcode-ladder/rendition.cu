#include "rendition.cuh"

#include <vector>

namespace media {

namespace {

__global__ void encode_gop(unsigned char* scratch, std::size_t bytes, int scale, int number,
                           unsigned* checksum, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    for (std::size_t i = threadIdx.x; i < bytes; i += blockDim.x)
        scratch[i] = static_cast<unsigned char>((i + number) % 5 + scale);
    __syncthreads();
    unsigned acc = 0;
    for (std::size_t i = threadIdx.x; i < bytes; i += blockDim.x) acc += scratch[i];
    atomicAdd(checksum, acc);
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

}  // namespace

Rendition::Rendition(RenditionConfig cfg, int segments)
    : cfg_(std::move(cfg)), scratch_(1u << 14), checksums_(segments * sizeof(unsigned)) {
    expect(cudaMemset(checksums_.data(), 0, checksums_.bytes()));
    expect(cudaDeviceSynchronize());
}

unsigned char* Rendition::scratch_for(const Segment& seg) {
    if (scratch_.bytes() < seg.gop_bytes) scratch_ = Surface(seg.gop_bytes);
    return scratch_.data();
}

void Rendition::encode(const Segment& seg) {
    unsigned char* scratch = scratch_for(seg);
    auto* sums = reinterpret_cast<unsigned*>(checksums_.data());
    encode_gop<<<1, 256, 0, queue_>>>(scratch, seg.gop_bytes, cfg_.scale, seg.number,
                                      sums + seg.number, cfg_.encode_ns);
    expect(cudaGetLastError());
    state_ = State::encoding;
}

void Rendition::flush() {
    if (state_ != State::encoding) return;
    expect(cudaStreamSynchronize(queue_));
    state_ = State::flushed;
}

bool Rendition::verify(int segments, const Segment* list) const {
    std::vector<unsigned> got(segments);
    expect(cudaMemcpy(got.data(), checksums_.data(), segments * sizeof(unsigned),
                      cudaMemcpyDeviceToHost));
    for (int s = 0; s < segments; ++s) {
        unsigned want = 0;
        for (std::size_t i = 0; i < list[s].gop_bytes; ++i)
            want += unsigned((i + list[s].number) % 5 + cfg_.scale);
        if (want != got[s]) return false;
    }
    return true;
}

}  // namespace media

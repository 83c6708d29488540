#include "codec.h"

#include <utility>

namespace archive {

CodedTile::CodedTile()
{
    ARCHIVE_CHECK(cudaHostAlloc(reinterpret_cast<void **>(&words), kTileWords * sizeof(std::uint32_t), cudaHostAllocMapped));
    ARCHIVE_CHECK(cudaEventCreateWithFlags(&coded, cudaEventDisableTiming));
}

CodedTile::CodedTile(CodedTile &&o) noexcept
    : words(std::exchange(o.words, nullptr)), coded(std::exchange(o.coded, nullptr))
{
}

CodedTile::~CodedTile()
{
    if (coded) cudaEventDestroy(coded);
    cudaFreeHost(words);
}

Encoder::Encoder()
{
    ARCHIVE_CHECK(cudaStreamCreateWithFlags(&wide_, cudaStreamNonBlocking));
    for (auto &s : narrow_) ARCHIVE_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

Encoder::~Encoder()
{
    cudaStreamDestroy(wide_);
    for (auto s : narrow_) cudaStreamDestroy(s);
}

// The panchromatic band is by far the widest and has a lane of its own.
cudaStream_t Encoder::pick(Band band)
{
    if (band == Band::Panchromatic) return wide_;
    return narrow_[narrow_next_++ % 2];
}

void Encoder::submit(const SceneTile &tile, CodedTile &out)
{
    cudaStream_t lane = pick(tile.band);
    encode_tile(lane, tile, out.words);
    ARCHIVE_CHECK(cudaEventRecord(out.coded, lane));
    last_ = out.coded;
}

void Encoder::drain()
{
    if (last_) ARCHIVE_CHECK(cudaEventSynchronize(last_));
    last_ = nullptr;
}

} // namespace archive

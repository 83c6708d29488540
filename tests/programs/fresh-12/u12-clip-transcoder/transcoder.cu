#include "transcoder.h"

#include <cstdio>
#include <cstdlib>

namespace clip {

namespace {

void guard(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

__global__ void toneMap(std::uint8_t* px, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) px[i] = std::uint8_t(255 - px[i] / 2);
}

void CUDART_CB finished(void* arg)
{
    Frame* f = static_cast<Frame*>(arg);
    f->ledger.frameFinished(f->clip);
}

}  // namespace

Frame::Frame(Ledger& l, std::uint32_t c, int n) : ledger(l), clip(c), number(n)
{
    guard(cudaMallocHost(&picture, kPixels));
    for (int i = 0; i < kPixels; ++i) picture[i] = source(clip, number, i);
}

Frame::~Frame() { cudaFreeHost(picture); }

Transcoder::Transcoder(Ledger& ledger) : ledger_(ledger)
{
    guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    guard(cudaMalloc(&picture_, kPixels));
}

Transcoder::~Transcoder()
{
    cudaFree(picture_);
    cudaStreamDestroy(stream_);
}

void Transcoder::open(std::uint32_t clip, int frames)
{
    for (int n = 0; n < frames; ++n) pending_.push_back(std::make_unique<Frame>(ledger_, clip, n));
}

void Transcoder::enqueue(Frame& f)
{
    guard(cudaMemcpyAsync(picture_, f.picture, kPixels, cudaMemcpyHostToDevice, stream_));
    toneMap<<<(kPixels + 255) / 256, 256, 0, stream_>>>(picture_, kPixels);
    guard(cudaGetLastError());
    guard(cudaMemcpyAsync(f.picture, picture_, kPixels, cudaMemcpyDeviceToHost, stream_));
    guard(cudaLaunchHostFunc(stream_, finished, &f));
}

std::vector<std::unique_ptr<Frame>> Transcoder::flush(std::uint32_t clip)
{
    ledger_.update([&](Ledger::Accounts& accounts) {
        Ledger::Account& a = accounts[clip];
        for (auto& f : pending_) {
            enqueue(*f);
            ++a.sent;
        }
        guard(cudaStreamSynchronize(stream_));
        a.closed = true;
    });
    return std::move(pending_);
}

}  // namespace clip

#include "reader.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace slide {

void ok(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::_Exit(1);
    }
}

unsigned char archiveByte(int tile, int i)
{
    return static_cast<unsigned char>(1 + (tile * 31 + i) % 250);
}

__global__ void unpack(const unsigned char* in, unsigned* out, int n, long long cycles)
{
    for (long long t0 = clock64(); clock64() - t0 < cycles;) {
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 0x010101u;
}

Reader::Reader(int tiles, int side, Feed& feed) : side_(side), feed_(feed)
{
    const size_t n = size_t(side) * side;
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (int k = 0; k < tiles; ++k) {
        Tile t{k, side, nullptr, nullptr};
        unsigned char *host, *dev;
        ok(cudaMalloc(&t.texels, n * sizeof(unsigned)));
        ok(cudaMemset(t.texels, 0, n * sizeof(unsigned)));
        ok(cudaEventCreateWithFlags(&t.ready, cudaEventDisableTiming));
        ok(cudaMallocHost(&host, n));
        ok(cudaMalloc(&dev, n));
        tiles_.push_back(t);
        packed_.push_back(host);
        devPacked_.push_back(dev);
    }
    ok(cudaDeviceSynchronize());
}

Reader::~Reader()
{
    cudaStreamSynchronize(stream_);
    for (size_t k = 0; k < tiles_.size(); ++k) {
        cudaFree(tiles_[k].texels);
        cudaEventDestroy(tiles_[k].ready);
        cudaFreeHost(packed_[k]);
        cudaFree(devPacked_[k]);
    }
    cudaStreamDestroy(stream_);
}

// Looks a tile up in the directory of the archive.
Tile Reader::open(int number)
{
    Tile t = tiles_[number];
    feed_.push(t);
    return t;
}

// Fetches the pixels of a tile and unpacks them.
void Reader::load(const Tile& t)
{
    const int n = t.side * t.side;
    std::this_thread::sleep_for(std::chrono::milliseconds(30));      // disk
    for (int i = 0; i < n; ++i)
        packed_[t.number][i] = archiveByte(t.number, i);

    ok(cudaMemcpyAsync(devPacked_[t.number], packed_[t.number], n, cudaMemcpyHostToDevice, stream_));
    unpack<<<(n + 255) / 256, 256, 0, stream_>>>(devPacked_[t.number], t.texels, n, 60'000'000);
    ok(cudaGetLastError());
    ok(cudaEventRecord(t.ready, stream_));
}

void Reader::operator()()
{
    for (size_t k = 0; k < tiles_.size(); ++k) {
        Tile t = open(int(k));
        load(t);
    }
    feed_.close();
}

}  // namespace slide

// Whole-slide viewer: stains tiles as the reader delivers them.
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include "reader.h"

using namespace slide;

namespace {

constexpr int kTiles = 6;
constexpr int kSide = 96;

__global__ void stain(const unsigned* in, unsigned* out, int n, unsigned tint)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] ^ tint;
}

class Viewer {
public:
    explicit Viewer(int tiles) : n_(kSide * kSide)
    {
        ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        ok(cudaMalloc(&canvas_, sizeof(unsigned) * n_ * tiles));
        ok(cudaMemset(canvas_, 0, sizeof(unsigned) * n_ * tiles));
        ok(cudaDeviceSynchronize());
    }

    ~Viewer()
    {
        cudaFree(canvas_);
        cudaStreamDestroy(stream_);
    }

    void paint(const Tile& t)
    {
        ok(cudaStreamWaitEvent(stream_, t.ready, 0));
        stain<<<(n_ + 127) / 128, 128, 0, stream_>>>(t.texels, canvas_ + size_t(n_) * t.number, n_, 0x00ff00u);
        ok(cudaGetLastError());
    }

    std::vector<unsigned> canvas(int tiles)
    {
        std::vector<unsigned> h(size_t(n_) * tiles);
        ok(cudaStreamSynchronize(stream_));
        ok(cudaMemcpy(h.data(), canvas_, h.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
        return h;
    }

private:
    int n_;
    cudaStream_t stream_{};
    unsigned* canvas_{};
};

}  // namespace

int main()
{
    Feed feed;
    Reader reader(kTiles, kSide, feed);
    Viewer viewer(kTiles);

    std::thread io(std::ref(reader));
    while (auto tile = feed.next())
        viewer.paint(*tile);
    io.join();

    const auto got = viewer.canvas(kTiles);
    long wrong = 0;
    for (int k = 0; k < kTiles; ++k)
        for (int i = 0; i < kSide * kSide; ++i)
            if (got[size_t(k) * kSide * kSide + i] != ((archiveByte(k, i) * 0x010101u) ^ 0x00ff00u))
                ++wrong;
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}

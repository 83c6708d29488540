#include "spectral.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CU(x)                                             \
    do {                                                  \
        cudaError_t e_ = (x);                             \
        if (e_ != cudaSuccess) {                          \
            std::printf("ERROR %s\n", cudaGetErrorName(e_)); \
            std::exit(1);                                 \
        }                                                 \
    } while (0)

#define SP(h, x)                                          \
    do {                                                  \
        if ((x) != SP_SUCCESS) {                          \
            std::printf("ERROR %s\n", spLastCudaError(h)); \
            std::exit(1);                                 \
        }                                                 \
    } while (0)

namespace {

constexpr int kLength = 8192;
constexpr int kChannels = 3;

struct Channel {
    cudaStream_t stream = nullptr;
    int* trace = nullptr;
    int* spectrum = nullptr;
    std::vector<int> host;
};

void open_channel(Channel& ch, int id)
{
    ch.host.resize(kLength);
    for (int i = 0; i < kLength; ++i) ch.host[i] = (i * (id + 3) + 11 * id + 1) % 211;
    CU(cudaStreamCreateWithFlags(&ch.stream, cudaStreamNonBlocking));
    CU(cudaMalloc(&ch.trace, kLength * sizeof(int)));
    CU(cudaMalloc(&ch.spectrum, kLength * sizeof(int)));
    CU(cudaMemcpy(ch.trace, ch.host.data(), kLength * sizeof(int), cudaMemcpyHostToDevice));
}

long verify(const Channel& ch, int gain)
{
    std::vector<int> got(kLength);
    CU(cudaMemcpy(got.data(), ch.spectrum, kLength * sizeof(int), cudaMemcpyDeviceToHost));
    auto band = [&](int i) { return ch.host[i] * (1 + (i * 5) % 17); };
    long wrong = 0;
    for (int i = 0; i < kLength; ++i) wrong += got[i] != gain * (band(i) + band(kLength - 1 - i));
    return wrong;
}

}  // namespace

int main()
{
    spHandle_t sp = nullptr;
    SP(sp, spCreate(&sp, kLength));

    std::vector<Channel> channels(kChannels);
    for (int id = 0; id < kChannels; ++id) open_channel(channels[id], id);
    CU(cudaDeviceSynchronize());

    for (int id = 0; id < kChannels; ++id) {
        SP(sp, spSetStream(sp, channels[id].stream));
        SP(sp, spSetGain(sp, id + 1));
        SP(sp, spTransform(sp, channels[id].trace, channels[id].spectrum, kLength));
    }
    for (Channel& ch : channels) CU(cudaStreamSynchronize(ch.stream));

    long wrong = 0;
    for (int id = 0; id < kChannels; ++id) {
        wrong += verify(channels[id], id + 1);
        CU(cudaFree(channels[id].trace));
        CU(cudaFree(channels[id].spectrum));
        CU(cudaStreamDestroy(channels[id].stream));
    }
    SP(sp, spDestroy(sp));
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

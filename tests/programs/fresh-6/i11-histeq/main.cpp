#include "stage.h"

#include <algorithm>
#include <numeric>

int main() {
    constexpr int kPixels = 640 * 480;
    constexpr int kFrames = 6;

    cudaStream_t video, housekeeping;
    GPU(cudaStreamCreateWithFlags(&video, cudaStreamNonBlocking));
    GPU(cudaStreamCreateWithFlags(&housekeeping, cudaStreamNonBlocking));

    FrameBuffers fb;
    fb.count = kPixels;
    GPU(cudaMalloc(&fb.pixels, kPixels));
    GPU(cudaMalloc(&fb.bins, kBins * sizeof(int)));
    GPU(cudaMalloc(&fb.result, kBins * sizeof(int)));

    int wrong = 0;
    {
        StageGraph graph;
        graph.add(make_reset(fb, housekeeping)).add(make_histogram(fb)).add(make_cumulate(fb));
        graph.record(video);

        std::vector<unsigned char> frame(kPixels);
        std::vector<int> cdf(kBins);
        for (int f = 0; f < kFrames; ++f) {
            for (int i = 0; i < kPixels; ++i) frame[i] = static_cast<unsigned char>((i * (f + 3) + i / 640) % (200 + f));
            GPU(cudaMemcpyAsync(fb.pixels, frame.data(), kPixels, cudaMemcpyHostToDevice, video));
            graph.replay(video);
            GPU(cudaMemcpyAsync(cdf.data(), fb.result, kBins * sizeof(int), cudaMemcpyDeviceToHost, video));
            GPU(cudaStreamSynchronize(video));

            std::vector<int> want(kBins, 0);
            std::for_each(frame.begin(), frame.end(), [&](unsigned char p) { ++want[p]; });
            std::partial_sum(want.begin(), want.end(), want.begin());
            wrong += !std::equal(want.begin(), want.end(), cdf.begin());
        }
    }

    cudaFree(fb.pixels);
    cudaFree(fb.bins);
    cudaFree(fb.result);
    cudaStreamDestroy(housekeeping);
    cudaStreamDestroy(video);

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
}

// Street camera analytics on a recorded clip.
#include "conductor.hpp"

static Clip loadClip(std::vector<int>& host)
{
    host.resize(size_t(kFrames) * kPixels);
    for (int f = 0; f < kFrames; ++f)
        for (int i = 0; i < kPixels; ++i) host[size_t(f) * kPixels + i] = (f * 31 + i) % 251;

    Clip c;
    const size_t bytes = host.size() * sizeof(int);
    gpu(cudaMalloc(&c.raw, bytes));
    gpu(cudaMalloc(&c.smooth, bytes));
    gpu(cudaMalloc(&c.score, kFrames * sizeof(int)));
    gpu(cudaMalloc(&c.archive, kFrames * sizeof(int)));
    gpu(cudaMemcpy(c.raw, host.data(), bytes, cudaMemcpyHostToDevice));
    gpu(cudaMemset(c.smooth, 0, bytes));
    gpu(cudaMemset(c.score, 0, kFrames * sizeof(int)));
    gpu(cudaMemset(c.archive, 0, kFrames * sizeof(int)));
    gpu(cudaDeviceSynchronize());
    return c;
}

int main()
{
    std::vector<int> host;
    Clip clip = loadClip(host);

    Conductor conductor;
    for (const char* kind : {"smooth", "detect", "archive"}) conductor.add(makeStage(kind));
    conductor.start();
    for (int f = 0; f < kFrames; ++f) conductor.tick(clip, f);
    conductor.stop();

    std::vector<int> archive(kFrames);
    gpu(cudaMemcpy(archive.data(), clip.archive, kFrames * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int f = 0; f < kFrames; ++f) {
        int sum = 17;
        for (int i = 0; i < kPixels; ++i) sum += host[size_t(f) * kPixels + i] / 2 + 1;
        if (archive[f] != sum) ++wrong;
    }
    for (int* p : {clip.raw, clip.smooth, clip.score, clip.archive}) gpu(cudaFree(p));

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}

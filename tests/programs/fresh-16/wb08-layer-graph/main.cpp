#include <cstdio>

#include "runner.h"

int main() {
    using namespace nn;
    constexpr int kN = 1 << 16;
    register_builtin_layers();

    const std::vector<LayerSpec> specs = {
        {"affine", 3, 11}, {"fold", 30000, 257}, {"affine", 7, 5}, {"fold", 1000, 19}, {"affine", 2, 1},
    };
    std::vector<int> input(kN);
    for (int i = 0; i < kN; ++i) input[i] = (i * 29) % 16381;

    int wrong = 0;
    {
        Context ctx;
        Network net(specs);
        int* x = nullptr;
        verify(cudaMalloc(&x, kN * sizeof(int)));

        std::vector<int> reference(kN), got(kN);
        verify(cudaMemcpy(x, input.data(), kN * sizeof(int), cudaMemcpyHostToDevice));
        verify(cudaDeviceSynchronize());
        run_stepwise(ctx, net, x, kN);
        verify(cudaMemcpy(reference.data(), x, kN * sizeof(int), cudaMemcpyDeviceToHost));

        Replay replay(ctx, net, x, kN);
        for (int round = 0; round < 3; ++round) {
            verify(cudaMemcpy(x, input.data(), kN * sizeof(int), cudaMemcpyHostToDevice));
            verify(cudaDeviceSynchronize());
            replay.run();
            verify(cudaMemcpy(got.data(), x, kN * sizeof(int), cudaMemcpyDeviceToHost));
            for (int i = 0; i < kN; ++i) wrong += got[i] != reference[i];
        }
        verify(cudaFree(x));
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}

#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "lattice.cuh"
#include "stepper.h"

namespace {

constexpr Grid kGrid{256, 192};
constexpr int kDoubleSteps = 20;

struct Diagnostics {
    unsigned long long* sum = nullptr;
    unsigned long long* history = nullptr;
    int* length = nullptr;

    Diagnostics() {
        must(cudaMalloc(&sum, sizeof *sum));
        must(cudaMalloc(&history, sizeof *history * 2 * kDoubleSteps));
        must(cudaMalloc(&length, sizeof *length));
        must(cudaMemset(length, 0, sizeof *length));
    }
    ~Diagnostics() {
        cudaFree(sum);
        cudaFree(history);
        cudaFree(length);
    }
    void measure(const uint32_t* field, cudaStream_t s) {
        clear_sum<<<1, 1, 0, s>>>(sum);
        mass<<<16, 256, 0, s>>>(field, kGrid, sum);
    }
    void archive(cudaStream_t s) { push_history<<<1, 1, 0, s>>>(sum, history, length); }
};

template <class Scheme>
void half_step(const uint32_t* from, uint32_t* to, Diagnostics& diag, cudaStream_t main, cudaStream_t side) {
    Branch b(main, side);
    diag.measure(from, b.lane());
    relax<Scheme><<<(kGrid.cells() + 255) / 256, 256, 0, main>>>(from, to, kGrid);
    b.merge();
    diag.archive(side);
}

}  // namespace

int main() {
    const int n = kGrid.cells();
    std::vector<uint32_t> field(n);
    for (int i = 0; i < n; ++i) field[i] = (i * 2654435761u) >> 8;

    uint32_t *a = nullptr, *b = nullptr;
    must(cudaMalloc(&a, n * sizeof(uint32_t)));
    must(cudaMalloc(&b, n * sizeof(uint32_t)));
    must(cudaMemcpy(a, field.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));

    cudaStream_t main_stream, side_stream;
    must(cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking));
    must(cudaStreamCreateWithFlags(&side_stream, cudaStreamNonBlocking));

    int wrong = 0;
    {
        Diagnostics diag;
        must(cudaDeviceSynchronize());
        StepGraph graph(main_stream, [&] {
            half_step<AveragingScheme>(a, b, diag, main_stream, side_stream);
            half_step<AveragingScheme>(b, a, diag, main_stream, side_stream);
        });
        for (int s = 0; s < kDoubleSteps; ++s) graph.launch(main_stream);
        must(cudaStreamSynchronize(main_stream));

        std::vector<unsigned long long> history(2 * kDoubleSteps);
        std::vector<uint32_t> out(n);
        must(cudaMemcpy(history.data(), diag.history, history.size() * sizeof(unsigned long long), cudaMemcpyDeviceToHost));
        must(cudaMemcpy(out.data(), a, n * sizeof(uint32_t), cudaMemcpyDeviceToHost));

        std::vector<uint32_t> next(n);
        for (int s = 0; s < 2 * kDoubleSteps; ++s) {
            unsigned long long total = 0;
            for (int i = 0; i < n; ++i) {
                total += field[i];
                next[i] = relax_cell<AveragingScheme>(field.data(), kGrid, i % kGrid.nx, i / kGrid.nx);
            }
            wrong += total != history[s];
            std::swap(field, next);
        }
        for (int i = 0; i < n; ++i) wrong += field[i] != out[i];
    }

    cudaStreamDestroy(main_stream);
    cudaStreamDestroy(side_stream);
    cudaFree(a);
    cudaFree(b);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

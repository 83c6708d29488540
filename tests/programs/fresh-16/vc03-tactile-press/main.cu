// Renders a tactile atlas for an embossing machine: every page is a relief map reduced to dot heights.
#include <cstdio>
#include <cuda_runtime.h>
#include "tray.h"

namespace {

constexpr int kPages = 10;
constexpr int kSheets = 3;
constexpr int kColumns = 240;
constexpr int kRows = 160;
constexpr int kCells = kColumns * kRows;

__host__ __device__ float dotHeight(int page, int cell) {
    const int x = cell % kColumns, y = cell / kColumns;
    const int ridge = (x * (page + 2) + y * 3) % 17;
    return ridge < 8 ? 0.06f * static_cast<float>(ridge) : 0.48f;
}

__global__ void raiseDots(float* cells, int page, unsigned long long relaxNs) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < relaxNs);
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < kCells; c += gridDim.x * blockDim.x)
        cells[c] = dotHeight(page, c);
}

struct Book {
    Book() { press::ok(cudaMallocHost(&dots, sizeof(float) * kPages * kCells)); }
    ~Book() { cudaFreeHost(dots); }
    float* page(int p) const { return dots + static_cast<std::size_t>(p) * kCells; }
    float* dots = nullptr;
};

int print() {
    Book book;
    cudaStream_t stream;
    press::ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    int bad = 0;
    {
        press::Tray tray(kSheets, kCells);
        for (int p = 0; p < kPages; ++p) {
            press::Sheet& sheet = tray.draw(p);
            raiseDots<<<8, 128, 0, stream>>>(sheet.cells(), p, 150'000'000ull);
            press::ok(cudaGetLastError());
            press::ok(cudaMemcpyAsync(book.page(p), sheet.cells(), sizeof(float) * kCells, cudaMemcpyDeviceToHost, stream));
            tray.send(sheet, stream);
        }
        press::ok(cudaStreamSynchronize(stream));
        const auto record = tray.record();
        for (int p = 0; p < kPages; ++p) {
            if (p >= static_cast<int>(record.size()) || record[p] != p) ++bad;
            for (int c = 0; c < kCells; ++c)
                if (book.page(p)[c] - dotHeight(p, c) > 1e-4f || dotHeight(p, c) - book.page(p)[c] > 1e-4f) ++bad;
        }
    }
    press::ok(cudaStreamDestroy(stream));
    return bad;
}

}  // namespace

int main() {
    try {
        const int bad = print();
        if (bad) std::printf("WRONG %d\n", bad);
        else std::printf("DONE\n");
    } catch (const press::CudaFault& fault) {
        std::printf("ERROR %s\n", fault.what());
        return 1;
    }
    return 0;
}

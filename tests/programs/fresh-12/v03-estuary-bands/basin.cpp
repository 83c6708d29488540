// Tidal basin: the strips advance in their own streams and keep in step with
// their neighbours through counters in device memory.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bands.h"

using namespace estuary;

namespace {

[[noreturn]] void die(const char* name) {
    std::printf("ERROR %s\n", name);
    std::exit(1);
}

void rt(cudaError_t e) {
    if (e != cudaSuccess) die(cudaGetErrorName(e));
}

void drv(CUresult e) {
    if (e == CUDA_SUCCESS) return;
    const char* name = nullptr;
    cuGetErrorName(e, &name);
    die(name ? name : "unknown");
}

using Basin = std::array<Band, kBands>;

// Value of a band's counter once it has been through `step`.
cuuint32_t mark(int step) { return static_cast<cuuint32_t>(step) + 1u; }

void dig(Basin& basin) {
    for (int b = 0; b < kBands; ++b) {
        Band& band = basin[b];
        band.index = b;
        band.west = &basin[(b + kBands - 1) % kBands];
        band.east = &basin[(b + 1) % kBands];
        rt(cudaMalloc(&band.level[0], kCells * sizeof(uint32_t)));
        rt(cudaMalloc(&band.level[1], kCells * sizeof(uint32_t)));
        drv(cuMemAlloc(&band.tide, sizeof(cuuint32_t)));
        drv(cuMemsetD32(band.tide, 0, 1));
        drv(cuStreamCreate(&band.stream, CU_STREAM_NON_BLOCKING));
    }
    for (Band& band : basin) rt(flood(band));
    drv(cuCtxSynchronize());
}

void await_neighbour(const Band& band, const Band& other, int step) {
    if (step == 0) return;
    drv(cuStreamWaitValue32(band.stream, other.tide, mark(step - 1), CU_STREAM_WAIT_VALUE_GEQ));
}

void advance(const Band& band, int step) {
    await_neighbour(band, *band.west, step);
    await_neighbour(band, *band.east, step);
    rt(relax_band(band, step & 1));
    drv(cuStreamWriteValue32(band.stream, band.tide, mark(step), CU_STREAM_WRITE_VALUE_DEFAULT));
}

std::vector<uint32_t> on_paper() {
    const int n = kBands * kCells;
    std::vector<uint32_t> a(n), b(n);
    for (int i = 0; i < n; ++i) a[i] = initial_level(i / kCells, i % kCells);
    for (int s = 0; s < kSteps; ++s) {
        for (int i = 0; i < n; ++i) b[i] = relax(a[(i + n - 1) % n], a[i], a[(i + 1) % n]);
        a.swap(b);
    }
    return a;
}

void drain(Basin& basin) {
    for (Band& band : basin) {
        drv(cuStreamDestroy(band.stream));
        drv(cuMemFree(band.tide));
        rt(cudaFree(band.level[0]));
        rt(cudaFree(band.level[1]));
    }
}

}  // namespace

int main() {
    rt(cudaSetDevice(0));
    rt(cudaFree(nullptr));

    Basin basin;
    dig(basin);
    for (int step = 0; step < kSteps; ++step) {
        for (const Band& band : basin) advance(band, step);
    }
    for (const Band& band : basin) drv(cuStreamSynchronize(band.stream));

    const std::vector<uint32_t> want = on_paper();
    std::vector<uint32_t> got(kCells);
    long wrong = 0;
    for (const Band& band : basin) {
        rt(cudaMemcpy(got.data(), band.level[kSteps & 1], kCells * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        for (int i = 0; i < kCells; ++i) wrong += got[i] != want[band.index * kCells + i];
    }
    drain(basin);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

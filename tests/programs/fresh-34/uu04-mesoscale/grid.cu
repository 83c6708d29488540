#include "wx/grid.h"

namespace wx {
namespace {

constexpr int kBlocks = 48;
constexpr int kThreads = 256;

__device__ long long clock_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return static_cast<long long>(t);
}

// Stands for the physics columns, whose cost dominates.
__device__ void columns(long long ns) {
    const long long begin = clock_ns();
    while (clock_ns() - begin < ns) {
    }
}

__host__ __device__ inline int32_t relax(int32_t c, int32_t n, int32_t s, int32_t e, int32_t w, int32_t source) {
    return (4 * c + n + s + e + w) / 8 + source;
}

__host__ __device__ inline int32_t forcing(int x, int y, int step) { return ((x * 3 + y * 5 + step * 7) % 11) - 5; }

__global__ void dynamics_kernel(const int32_t* in, int32_t* out, int nx, int ny, int step, long long ns) {
    columns(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += gridDim.x * blockDim.x) {
        const int x = i % nx;
        const int y = i / nx;
        const int xe = (x + 1) % nx;
        const int xw = (x + nx - 1) % nx;
        const int yn = (y + 1) % ny;
        const int ys = (y + ny - 1) % ny;
        out[i] = relax(in[i], in[yn * nx + x], in[ys * nx + x], in[y * nx + xe], in[y * nx + xw], forcing(x, y, step));
    }
}

__global__ void encode_kernel(const int32_t* field, int32_t* coded, int nx, int ny, long long ns) {
    columns(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += gridDim.x * blockDim.x) {
        coded[i] = i % nx ? field[i] - field[i - 1] : field[i];
    }
}

}  // namespace

Grid::Grid(const GridConfig& c)
    : c_(c), start_(initial(c)), a_(c.cells()), b_(c.cells()), now_(a_.get()), next_(b_.get()) {}

void Grid::reset(Stream& s) {
    now_ = a_.get();
    next_ = b_.get();
    WX_CALL(cudaMemcpyAsync(now_, start_.data(), a_.bytes(), cudaMemcpyHostToDevice, s.get()));
    s.wait();
}

void Grid::advance(int step, Stream& s) {
    dynamics_kernel<<<kBlocks, kThreads, 0, s.get()>>>(now_, next_, c_.nx, c_.ny, step, c_.dynamics_ns);
    WX_CALL(cudaGetLastError());
    std::swap(now_, next_);
}

void Grid::snapshot(int32_t* target, Stream& s) {
    WX_CALL(cudaMemcpyAsync(target, now_, a_.bytes(), cudaMemcpyDeviceToDevice, s.get()));
}

void encode(const GridConfig& c, const int32_t* field, int32_t* coded, Stream& s) {
    encode_kernel<<<kBlocks, kThreads, 0, s.get()>>>(field, coded, c.nx, c.ny, c.encode_ns);
    WX_CALL(cudaGetLastError());
}

std::vector<int32_t> Grid::initial(const GridConfig& c) {
    std::vector<int32_t> f(c.cells());
    uint32_t seed = 77u;
    for (auto& v : f) {
        seed = seed * 1664525u + 1013904223u;
        v = 27000 + static_cast<int32_t>((seed >> 16) % 3000);
    }
    return f;
}

void Grid::advance_on_host(const GridConfig& c, std::vector<int32_t>& field, int step) {
    const std::vector<int32_t> in = field;
    for (int y = 0; y < c.ny; ++y) {
        for (int x = 0; x < c.nx; ++x) {
            const int xe = (x + 1) % c.nx;
            const int xw = (x + c.nx - 1) % c.nx;
            const int yn = (y + 1) % c.ny;
            const int ys = (y + c.ny - 1) % c.ny;
            field[y * c.nx + x] = relax(in[y * c.nx + x], in[yn * c.nx + x], in[ys * c.nx + x], in[y * c.nx + xe],
                                        in[y * c.nx + xw], forcing(x, y, step));
        }
    }
}

}  // namespace wx

#include "amr/level.h"

#include <algorithm>

#include "amr/profiler.h"

namespace amr {
namespace {

constexpr long long kSolveNs = 6'000'000;
constexpr int kThreads = 128;
constexpr int kBlocks = 8;

__device__ void riemann_cost(long long ns) {
    unsigned long long begin;
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < static_cast<unsigned long long>(ns));
}

__host__ __device__ inline int32_t update(int32_t c, int32_t w, int32_t e, int32_t s, int32_t n) {
    return (8 * c + 3 * w + e + 2 * s + 2 * n) / 16;
}

__global__ void init_kernel(Array2 a) {
    const int n = a.box.nx() * a.box.ny();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int x = a.box.x0 + i % a.box.nx();
        const int y = a.box.y0 + i / a.box.nx();
        a(x, y) = 1000 + ((x * 37 + y * 91 + x * y) % 4096);
    }
}

// Reads the one cell ring around a box from the boxes that own it.
__global__ void ghost_kernel(Array2 a, const Array2* all, int nx, int ny, int max_box) {
    const int bx = a.box.nx();
    const int by = a.box.ny();
    const int ring = 2 * (bx + by);
    for (int i = threadIdx.x; i < ring; i += blockDim.x) {
        int x;
        int y;
        if (i < bx) {
            x = a.box.x0 + i;
            y = a.box.y0 - 1;
        } else if (i < 2 * bx) {
            x = a.box.x0 + i - bx;
            y = a.box.y1;
        } else if (i < 2 * bx + by) {
            x = a.box.x0 - 1;
            y = a.box.y0 + i - 2 * bx;
        } else {
            x = a.box.x1;
            y = a.box.y0 + i - 2 * bx - by;
        }
        const int ox = (x + nx) % nx;
        const int oy = (y + ny) % ny;
        const Array2 owner = all[(oy / max_box) * (nx / max_box) + ox / max_box];
        a(x, y) = owner(ox, oy);
    }
}

__global__ void advance_kernel(Array2 now, Array2 next, long long ns) {
    riemann_cost(ns);
    const int n = now.box.nx() * now.box.ny();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int x = now.box.x0 + i % now.box.nx();
        const int y = now.box.y0 + i / now.box.nx();
        next(x, y) = update(now(x, y), now(x - 1, y), now(x + 1, y), now(x, y - 1), now(x, y + 1));
    }
}

__global__ void copy_kernel(Array2 from, Array2 to) {
    const int n = to.box.nx() * to.box.ny();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int x = to.box.x0 + i % to.box.nx();
        const int y = to.box.y0 + i / to.box.nx();
        to(x, y) = from(x, y);
    }
}

}  // namespace

MultiFab::MultiFab(const std::vector<Box>& boxes, Arena& arena) {
    for (const Box& b : boxes) fabs_.push_back(Array2{static_cast<int32_t*>(arena.take(bytes(b))), b});
}

std::vector<Box> decompose(const Geometry& g) {
    std::vector<Box> boxes;
    for (int y = 0; y < g.ny; y += g.max_box) {
        for (int x = 0; x < g.nx; x += g.max_box) boxes.push_back({x, y, x + g.max_box, y + g.max_box});
    }
    return boxes;
}

int32_t initial_value(int x, int y) { return 1000 + ((x * 37 + y * 91 + x * y) % 4096); }

Level::Level(const Geometry& g, Arena& arena)
    : geometry_(g),
      arena_(arena),
      boxes_(decompose(g)),
      state_(boxes_, arena),
      table_(static_cast<Array2*>(arena.take(boxes_.size() * sizeof(Array2)))) {
    std::vector<Array2> views;
    for (int i = 0; i < state_.size(); ++i) views.push_back(state_.array(i));
    AMR_SAFE(cudaMemcpy(table_, views.data(), views.size() * sizeof(Array2), cudaMemcpyHostToDevice));
    AMR_SAFE(cudaDeviceSynchronize());
}

void Level::initialise() {
    for (FabIter it(state_); it.valid(); ++it) {
        init_kernel<<<kBlocks, kThreads, 0, it.stream()>>>(state_.array(it.index()));
        AMR_SAFE(cudaGetLastError());
    }
}

void Level::fill_ghosts() {
    Region region("ghosts");
    for (FabIter it(state_); it.valid(); ++it) {
        ghost_kernel<<<1, kThreads, 0, it.stream()>>>(state_.array(it.index()), table_, geometry_.nx, geometry_.ny,
                                                     geometry_.max_box);
        AMR_SAFE(cudaGetLastError());
    }
}

void Level::advance(MultiFab& next) {
    Region region("advance");
    for (FabIter it(state_); it.valid(); ++it) {
        advance_kernel<<<kBlocks, kThreads, 0, it.stream()>>>(state_.array(it.index()), next.array(it.index()), kSolveNs);
        AMR_SAFE(cudaGetLastError());
    }
}

void Level::copy_back(const MultiFab& next) {
    Region region("copy");
    for (FabIter it(state_); it.valid(); ++it) {
        copy_kernel<<<kBlocks, kThreads, 0, it.stream()>>>(next.array(it.index()), state_.array(it.index()));
        AMR_SAFE(cudaGetLastError());
    }
}

void Level::step() {
    Region region("step");
    Arena::Mark scratch(arena_);
    MultiFab next(boxes_, arena_);
    fill_ghosts();
    advance(next);
    copy_back(next);
}

std::vector<int32_t> Level::gather() const {
    std::vector<int32_t> field(static_cast<std::size_t>(geometry_.nx) * geometry_.ny);
    for (int i = 0; i < state_.size(); ++i) {
        const Box& b = state_.box(i);
        std::vector<int32_t> fab(MultiFab::bytes(b) / sizeof(int32_t));
        AMR_SAFE(cudaMemcpy(fab.data(), state_.array(i).p, MultiFab::bytes(b), cudaMemcpyDeviceToHost));
        const Array2 view{fab.data(), b};
        for (int y = b.y0; y < b.y1; ++y) {
            for (int x = b.x0; x < b.x1; ++x) field[y * geometry_.nx + x] = view(x, y);
        }
    }
    return field;
}

void reference_step(const Geometry& g, std::vector<int32_t>& field) {
    const std::vector<int32_t> in = field;
    auto at = [&](int x, int y) { return in[((y + g.ny) % g.ny) * g.nx + (x + g.nx) % g.nx]; };
    for (int y = 0; y < g.ny; ++y) {
        for (int x = 0; x < g.nx; ++x) {
            field[y * g.nx + x] = update(at(x, y), at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1));
        }
    }
}

}  // namespace amr

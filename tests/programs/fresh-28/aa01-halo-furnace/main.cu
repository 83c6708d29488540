// Furnace wall: explicit 2-D heat conduction, split over ranks by rows.
#include "slab.cuh"

#include <cmath>
#include <thread>
#include <vector>

struct Rank {
    int id = 0;
    Slab slab;
    cudaStream_t compute = nullptr;
    cudaStream_t halo = nullptr;
    cudaEvent_t edges = nullptr;    // edge rows of the newest copy
    cudaEvent_t ghosts = nullptr;   // ghost rows of the newest copy
    Rank* upper = nullptr;
    Rank* lower = nullptr;

    void open(const Geometry& g, const std::vector<double>& wall) {
        slab_open(slab, g, wall.data() + size_t(id) * g.rows * g.width);
        CU(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
        CU(cudaStreamCreateWithFlags(&halo, cudaStreamNonBlocking));
        CU(cudaEventCreateWithFlags(&edges, cudaEventDisableTiming));
        CU(cudaEventCreateWithFlags(&ghosts, cudaEventDisableTiming));
    }

    void close() {
        CU(cudaEventDestroy(edges));
        CU(cudaEventDestroy(ghosts));
        CU(cudaStreamDestroy(compute));
        CU(cudaStreamDestroy(halo));
        slab_close(slab);
    }

    void advance(const Geometry& g, int from, int to) {
        slab_sweep(slab, from, to, g.alpha, compute);
        CU(cudaEventRecord(edges, compute));
        slab_seam(slab, to, compute);
    }

    void pull(int copy) {
        const size_t bytes = sizeof(double) * slab.width;
        CU(cudaStreamWaitEvent(halo, edges, 0));
        if (upper) {
            CU(cudaStreamWaitEvent(halo, upper->edges, 0));
            CU(cudaMemcpyAsync(slab.row(copy, 0), upper->slab.row(copy, slab.rows), bytes,
                               cudaMemcpyDeviceToDevice, halo));
        }
        if (lower) {
            CU(cudaStreamWaitEvent(halo, lower->edges, 0));
            CU(cudaMemcpyAsync(slab.row(copy, slab.rows + 1), lower->slab.row(copy, 1), bytes,
                               cudaMemcpyDeviceToDevice, halo));
        }
        CU(cudaEventRecord(ghosts, halo));
    }

    void settle() {
        CU(cudaStreamWaitEvent(compute, ghosts, 0));
        if (upper) CU(cudaStreamWaitEvent(compute, upper->ghosts, 0));
        if (lower) CU(cudaStreamWaitEvent(compute, lower->ghosts, 0));
    }
};

static void rank_main(Rank& rank, const Geometry& g, Rendezvous& team) {
    CU(cudaSetDevice(0));
    for (int step = 0; step < g.steps; ++step) {
        const int from = step & 1;
        const int to = from ^ 1;
        rank.advance(g, from, to);
        team.arrive();
        rank.pull(to);
        team.arrive();
        rank.settle();
    }
    CU(cudaStreamSynchronize(rank.compute));
    CU(cudaStreamSynchronize(rank.halo));
}

static void reference(const Geometry& g, std::vector<double>& wall) {
    const int rows = g.ranks * g.rows, w = g.width;
    std::vector<double> next = wall;
    for (int step = 0; step < g.steps; ++step) {
        for (int r = 1; r <= rows; ++r)
            for (int c = 1; c < w - 1; ++c) {
                const size_t i = size_t(r) * w + c;
                next[i] = wall[i] + g.alpha * (wall[i - 1] + wall[i + 1] + wall[i - w] + wall[i + w] - 4.0 * wall[i]);
            }
        for (int r = 1; r <= rows; ++r)
            if ((r - 1) % g.rows == 0 || r % g.rows == 0)
                for (int c = 0; c < w; ++c) next[size_t(r) * w + c] = next[size_t(r) * w + c] * 0.8 + 1.5;
        for (int r = 1; r <= rows; ++r)
            for (int c = 0; c < w; ++c) wall[size_t(r) * w + c] = next[size_t(r) * w + c];
    }
}

int main() {
    const Geometry g;
    std::vector<double> wall(size_t(g.ranks * g.rows + 2) * g.width);
    for (int r = 0; r < g.ranks * g.rows + 2; ++r)
        for (int c = 0; c < g.width; ++c)
            wall[size_t(r) * g.width + c] = r == 0 ? g.hot : 20.0 + (r * 7 + c * 3) % 31;
    for (int c = 0; c < g.width; ++c) wall[size_t(g.ranks * g.rows + 1) * g.width + c] = g.cold;

    std::vector<Rank> ranks(g.ranks);
    for (int i = 0; i < g.ranks; ++i) {
        ranks[i].id = i;
        ranks[i].upper = i > 0 ? &ranks[i - 1] : nullptr;
        ranks[i].lower = i + 1 < g.ranks ? &ranks[i + 1] : nullptr;
        ranks[i].open(g, wall);
    }

    Rendezvous team(g.ranks);
    std::vector<std::thread> threads;
    for (auto& rank : ranks) threads.emplace_back(rank_main, std::ref(rank), std::cref(g), std::ref(team));
    for (auto& t : threads) t.join();
    CU(cudaDeviceSynchronize());

    reference(g, wall);
    std::vector<double> got(size_t(g.rows + 2) * g.width);
    long wrong = 0;
    for (auto& rank : ranks) {
        CU(cudaMemcpy(got.data(), rank.slab.field[g.steps & 1], rank.slab.bytes(), cudaMemcpyDeviceToHost));
        for (int r = 1; r <= g.rows; ++r)
            for (int c = 0; c < g.width; ++c) {
                const double want = wall[size_t(rank.id * g.rows + r) * g.width + c];
                if (!(std::fabs(got[size_t(r) * g.width + c] - want) < 1e-9)) ++wrong;
            }
        rank.close();
    }
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}

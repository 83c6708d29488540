#include "voxelizer.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

struct cuda_free {
    void operator()(void* p) const noexcept { cudaFree(p); }
};
using device_words = std::unique_ptr<std::uint32_t, cuda_free>;

device_words make_words(std::size_t n) {
    std::uint32_t* p = nullptr;
    vox::check(cudaMalloc(&p, n * sizeof(std::uint32_t)));
    return device_words(p);
}

int run() {
    constexpr std::size_t returns = std::size_t(1) << 23;
    vox::options opt;

    std::vector<std::uint32_t> sweep(returns), occupancy(opt.cells), intensity(opt.cells), order(returns);
    std::uint32_t s = 12345u;
    for (auto& v : sweep) v = s = s * 1664525u + 1013904223u;

    std::vector<std::uint32_t> want_occ(opt.cells, 0), want_int(opt.cells, 0);
    for (std::uint32_t v : sweep) {
        const std::uint32_t k = vox::key_of(v, opt.cells);
        want_occ[k] += 1;
        want_int[k] += vox::intensity_of(v);
    }

    auto d_sweep = make_words(returns);
    auto d_occ = make_words(opt.cells);
    auto d_int = make_words(opt.cells);
    auto d_order = make_words(returns);

    cudaStream_t stream;
    vox::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    vox::check(cudaMemcpyAsync(d_sweep.get(), sweep.data(), returns * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream));
    vox::check(cudaStreamSynchronize(stream));

    std::size_t bad = 0;
    {
        vox::memory_resource mr(0);
        vox::voxelizer v(opt, mr);
        for (int frame = 0; frame < 3; ++frame) {
            v.process({d_sweep.get(), returns}, {d_occ.get(), d_int.get(), d_order.get()}, stream);
            vox::check(cudaMemcpyAsync(occupancy.data(), d_occ.get(), opt.cells * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream));
            vox::check(cudaMemcpyAsync(intensity.data(), d_int.get(), opt.cells * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream));
            vox::check(cudaMemcpyAsync(order.data(), d_order.get(), returns * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream));
            vox::check(cudaStreamSynchronize(stream));
            for (std::uint32_t c = 0; c < opt.cells; ++c)
                bad += (occupancy[c] != want_occ[c]) + (intensity[c] != want_int[c]);
            for (std::size_t i = 0; i < returns; ++i)
                bad += order[i] != vox::rank_of(static_cast<std::uint32_t>(i), opt.cells) * 16u + (i & 15u);
        }
    }
    vox::check(cudaStreamDestroy(stream));
    if (bad) std::printf("WRONG %zu\n", bad);
    else std::puts("DONE");
    return bad ? 1 : 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const vox::cuda_failure& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}

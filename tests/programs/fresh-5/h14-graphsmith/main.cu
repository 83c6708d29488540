#include "smith.hpp"
#include "world.cuh"

#include <cstdio>
#include <numeric>
#include <thread>
#include <variant>

namespace {

using namespace smith;

using DeviceCells = std::shared_ptr<unsigned>;

DeviceCells upload(const std::vector<unsigned>& values, cudaStream_t s)
{
    unsigned* p = nullptr;
    need(cudaMalloc(reinterpret_cast<void**>(&p), values.size() * sizeof(unsigned)));
    DeviceCells cells(p, [](unsigned* q) { cudaFree(q); });
    need(cudaMemcpyAsync(p, values.data(), values.size() * sizeof(unsigned), cudaMemcpyHostToDevice, s));
    need(cudaStreamSynchronize(s));
    return cells;
}

// Brings up spare terrain tiles while the simulation prepares its step.
class TerrainLoader {
public:
    using Outcome = std::variant<std::vector<DeviceCells>, Fault>;

    TerrainLoader(int tiles, int n) : thread_([this, tiles, n] { outcome_ = load(tiles, n); }) {}
    ~TerrainLoader()
    {
        if (thread_.joinable()) thread_.join();
    }

    std::vector<DeviceCells> take()
    {
        thread_.join();
        if (auto* fault = std::get_if<Fault>(&outcome_)) throw *fault;
        return std::move(std::get<0>(outcome_));
    }

private:
    Outcome load(int tiles, int n)
    {
        try {
            std::vector<DeviceCells> result;
            for (int t = 0; t < tiles; ++t) {
                std::vector<unsigned> heights(n);
                std::iota(heights.begin(), heights.end(), 1000u * (t + 1));
                result.push_back(upload(heights, stream_));
            }
            return result;
        } catch (const Fault& f) {
            return f;
        }
    }

    Stream stream_;
    Outcome outcome_;
    std::thread thread_;
};

struct Tally {
    std::atomic<int> steps{0};
};

void CUDART_CB on_step(void* p) { static_cast<Tally*>(p)->steps.fetch_add(1); }

long long simulate()
{
    constexpr int n = 1 << 16;
    constexpr std::size_t sectors = 4;
    Stream trunk;

    std::vector<unsigned> initial(n);
    std::iota(initial.begin(), initial.end(), 7u);
    const DeviceCells cells = upload(initial, trunk);
    const DeviceCells base = upload(std::vector<unsigned>(n, 0x5a5au), trunk);
    const Field field{cells.get(), n};
    const int share = n / static_cast<int>(sectors);

    Tally tally;
    Recorder<sectors> recorder(trunk);
    Executable step;
    TerrainLoader loader(24, n);

    const auto prepare = [&](unsigned wind) {
        step.adopt(recorder.record([&](auto& r) {
            std::array<Recorder<sectors>::Body, sectors> bodies;
            for (std::size_t s = 0; s < sectors; ++s)
                bodies[s] = [&field, wind, share, sector = static_cast<int>(s)](cudaStream_t b) {
                    advance<<<16, 256, 0, b>>>(field, sector * share, share, wind + static_cast<unsigned>(sector));
                    need(cudaGetLastError());
                };
            for (int half = 0; half < 2; ++half) {
                r.fan(bodies);
                mix<<<32, 256, 0, r.trunk()>>>(field, base.get());
                need(cudaGetLastError());
            }
            need(cudaLaunchHostFunc(r.trunk(), on_step, &tally));
        }));
    };

    const std::array<std::pair<unsigned, int>, 3> phases{{{3u, 5}, {8u, 4}, {21u, 6}}};
    for (const auto& [wind, steps] : phases) {
        prepare(wind);
        for (int i = 0; i < steps; ++i) step.launch(trunk);
    }

    const auto terrain = loader.take();
    mix<<<32, 256, 0, trunk>>>(field, terrain.back().get());
    need(cudaGetLastError());
    std::vector<unsigned> result(n);
    need(cudaMemcpyAsync(result.data(), cells.get(), n * sizeof(unsigned), cudaMemcpyDeviceToHost, trunk));
    need(cudaStreamSynchronize(trunk));

    int total = 0;
    for (const auto& [wind, steps] : phases) {
        total += steps;
        for (int half = 0; half < 2 * steps; ++half)
            for (int i = 0; i < n; ++i) initial[i] = drift(initial[i], wind + i / (n / sectors)) ^ 0x5a5au;
    }
    long long wrong = tally.steps.load() != total;
    for (int i = 0; i < n; ++i) wrong += result[i] != (initial[i] ^ (24000u + i));
    return wrong;
}

}  // namespace

int main()
{
    try {
        const long long wrong = simulate();
        wrong ? std::printf("WRONG %lld\n", wrong) : std::printf("DONE\n");
        return wrong != 0;
    } catch (const Fault& f) {
        std::printf("ERROR %s\n", f.what());
        return 1;
    }
}

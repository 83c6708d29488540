#include "shard.hpp"

#include <chrono>
#include <latch>
#include <thread>
#include <vector>

namespace {

cudaMemPool_t make_pool()
{
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = cudaMemHandleTypeNone;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    cudaMemPool_t pool = nullptr;
    scan::expect(cudaMemPoolCreate(&pool, &props));
    std::uint64_t keep = UINT64_MAX;
    scan::expect(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    int chain = 0;
    scan::expect(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &chain));
    return pool;
}

}  // namespace

int main()
{
    using namespace scan;
    using clock = std::chrono::steady_clock;

    expect(cudaSetDevice(0));
    cudaMemPool_t pool = make_pool();

    std::vector<std::unique_ptr<ShardWorker>> workers;
    for (int i = 0; i < kThreads; ++i)
        workers.push_back(std::make_unique<ShardWorker>(i, pool));

    std::latch ready(kThreads + 1);
    std::latch finished(kThreads);
    clock::time_point begin, end;
    {
        std::vector<std::jthread> crew;
        for (int i = 0; i < kThreads; ++i)
            crew.emplace_back([&, w = workers[i].get()] {
                expect(cudaSetDevice(0));
                w->load(0);
                w->process(0);
                ready.arrive_and_wait();
                for (int s = 0; s < kShardsPerThread; ++s) {
                    w->load(s);
                    w->process(s);
                }
                finished.count_down();
            });
        ready.arrive_and_wait();
        begin = clock::now();
        finished.wait();
        end = clock::now();
    }

    int wrong = 0;
    for (auto &w : workers)
        wrong += w->mismatches();
    workers.clear();
    expect(cudaMemPoolDestroy(pool));

    const double spent = std::chrono::duration<double, std::milli>(end - begin).count();
    const double ideal = kShardsPerThread * (kMatchNs * 1e-6);
    std::printf("%d shards, %.1f ms, ideal %.1f ms\n", kThreads * kShardsPerThread, spent, ideal);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (spent / ideal > 1.5)
        std::printf("SLOW %.2f\n", spent / ideal);
    else
        std::puts("DONE");
    return 0;
}

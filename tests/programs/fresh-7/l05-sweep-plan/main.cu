#include "sweep_plan.hpp"

using namespace relax;

static float source(int step, int cell)
{
    return float((cell * 7 + step * 3) % 11);
}

static void load_rhs(staging_pool& pool, const sweep_plan& plan, int step, int cells, cudaStream_t s)
{
    lease block = pool.take();
    for (int i = 0; i < cells; ++i) block.as<float>()[i] = source(step, i);
    ok(cudaMemcpyAsync(plan.rhs(), block.as<float>(), cells * sizeof(float), cudaMemcpyHostToDevice, s));
    ok(cudaStreamSynchronize(s));
}

static int fetch_and_compare(staging_pool& pool, const sweep_plan& plan, int step, problem prob, cudaStream_t s)
{
    lease block = pool.take();
    ok(cudaMemcpyAsync(block.as<float>(), plan.solution(), prob.cells * sizeof(float), cudaMemcpyDeviceToHost, s));
    ok(cudaStreamSynchronize(s));
    int bad = 0;
    for (int i = 0; i < prob.cells; ++i) {
        float u = 0.0f, w = sweep_plan::weight(i);
        for (int k = 0; k < prob.sweeps; ++k) {
            u += w * source(step, i);
            w *= 0.5f;
        }
        bad += block.as<float>()[i] != u;
    }
    return bad;
}

int main()
{
    const problem prob{1 << 14, 6};
    int bad = 0;

    staging_pool pool(prob.cells * sizeof(float), 4);
    cudaStream_t s;
    ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    {
        sweep_plan plan(prob, pool, s);
        for (int step = 0; step < 12; ++step) {
            load_rhs(pool, plan, step, prob.cells, s);
            plan.execute(s);
            bad += fetch_and_compare(pool, plan, step, prob, s);
        }
    }
    ok(cudaStreamDestroy(s));
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return 0;
}

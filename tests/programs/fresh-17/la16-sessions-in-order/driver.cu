#include "operators.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace tern;

__global__ void spin(long long cycles)
{
    long long t0 = clock64();
    while (clock64() - t0 < cycles) {}
}

using clk = std::chrono::steady_clock;
static double ms(clk::time_point a) { return std::chrono::duration<double, std::milli>(clk::now() - a).count(); }

int main()
{
    constexpr std::size_t rows = 1 << 16, groups = 100;
    try
    {
        std::vector<std::uint32_t> k(rows), v(rows);
        result_set want;
        for (std::size_t i = 0; i < rows; ++i)
        {
            k[i] = static_cast<std::uint32_t>((i * 31) % groups);
            v[i] = static_cast<std::uint32_t>(i % 17);
            ++want[k[i]].count;
            want[k[i]].sum += v[i];
        }
        auto dk = make_device<std::uint32_t>(rows), dv = make_device<std::uint32_t>(rows);
        TERN_ENSURE(cudaMemcpy(dk.get(), k.data(), rows * 4, cudaMemcpyHostToDevice));
        TERN_ENSURE(cudaMemcpy(dv.get(), v.data(), rows * 4, cudaMemcpyHostToDevice));

        session analyst, dashboard;
        std::vector<batch> table{{dk.get(), dv.get(), rows / 2}, {dk.get() + rows / 2, dv.get() + rows / 2, rows / 2}};
        auto right = [&](result_set const & r) {
            return r.size() == want.size() && std::equal(r.begin(), r.end(), want.begin(), [](auto const & a, auto const & b) {
                       return a.first == b.first && a.second.count == b.second.count && a.second.sum == b.second.sum;
                   });
        };

        dense_aggregate q(groups);
        spin<<<1, 1, 0, analyst.stream()>>>(1000);
        bool ok = right(execute(analyst, q, table)) && right(execute(dashboard, q, table));
        TERN_ENSURE(cudaDeviceSynchronize());

        // The analyst's session is busy for a long time; how long does the dashboard wait for its answer?
        double quick = 1e9, slow = 1e9;
        for (int i = 0; i < 3; ++i)
        {
            auto t0 = clk::now();
            spin<<<1, 1, 0, analyst.stream()>>>(500000000LL);
            ok         = right(execute(dashboard, q, table)) && ok;
            double t_q = ms(t0);
            analyst.finish();
            double t_s = ms(t0);
            quick      = std::min(quick, t_q);
            slow       = std::min(slow, t_s);
        }
        if (!ok)
        {
            std::printf("SLOW aggregates differ\n");
            return 1;
        }
        if (quick > 0.5 * slow)
        {
            std::printf("SLOW a short query takes %.1f ms next to another session's %.1f ms\n", quick, slow);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    }
    catch (std::exception const & e)
    {
        std::printf("SLOW %s\n", e.what());
        return 1;
    }
}

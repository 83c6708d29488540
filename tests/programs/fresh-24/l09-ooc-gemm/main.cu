#include "pipeline.h"
#include <chrono>

using Clock = std::chrono::steady_clock;

static double msSince(Clock::time_point t)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}

int main()
{
    const ooc::Plan plan;
    const int rows = plan.panels * plan.panelRows;
    ooc::HostMatrix<float> a(rows, plan.inner), c(rows, plan.cols);
    std::vector<float> b(static_cast<std::size_t>(plan.inner) * plan.cols);
    for (int r = 0; r < rows; ++r)
        for (int k = 0; k < plan.inner; ++k)
            a.row(r)[k] = static_cast<float>((r * 3 + k * 5) % 7 - 3);
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = static_cast<float>(i * 11 % 5) - 2.0f;

    ooc::PanelPipeline pipe(plan, b);
    pipe.enqueue(a, c, 0);
    pipe.finish();

    auto t = Clock::now();
    pipe.enqueue(a, c, 1);
    pipe.finish();
    const double single = msSince(t);

    t = Clock::now();
    for (int p = 0; p < plan.panels; ++p)
        pipe.enqueue(a, c, p);
    pipe.finish();
    const double all = msSince(t);

    long wrong = 0;
    for (int r = 0; r < rows; r += 13)
        for (int j = 0; j < plan.cols; ++j) {
            float sum = 0;
            for (int k = 0; k < plan.inner; ++k)
                sum += a.row(r)[k] * b[static_cast<std::size_t>(k) * plan.cols + j];
            wrong += sum != c.row(r)[j];
        }
    if (wrong) {
        std::printf("WRONG %ld\n", wrong);
        return 2;
    }
    const double ratio = all / (single * plan.panels / plan.lanes);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 3;
    }
    std::printf("DONE\n");
    return 0;
}

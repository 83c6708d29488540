#include <cmath>
#include <cstdio>
#include <vector>
#include "outbreak.h"
namespace {
std::vector<double> reference(const std::vector<float>& seed, int days, epi::Rates rates) {
    const size_t n = seed.size();
    std::vector<double> s(n), i(seed.begin(), seed.end()), in(n), out(n), series;
    for (size_t k = 0; k < n; ++k) s[k] = 1.0 - seed[k];
    const auto total = [&] {
        double sum = 0.0;
        for (double v : i) sum += v;
        return sum;
    };
    series.push_back(total());
    for (int d = 0; d < days; ++d) {
        for (size_t k = 0; k < n; ++k) {
            const double pressure =
                0.5 * i[k] + 0.25 * (i[(k + n - 1) % n] + i[(k + 1) % n]);
            in[k] = rates.contact * s[k] * pressure;
            out[k] = rates.recovery * i[k];
        }
        for (size_t k = 0; k < n; ++k) {
            s[k] -= in[k];
            i[k] += in[k] - out[k];
        }
        series.push_back(total());
    }
    return series;
}
}  // namespace

int main() {
    constexpr int regions = 2000, days = 30;
    const epi::Rates rates;
    std::vector<float> seed(regions);
    for (int r = 0; r < regions; ++r) seed[r] = r % 97 == 0 ? 0.2f : 0.01f;

    epi::Outbreak outbreak(regions, days, rates);
    outbreak.seed(seed);
    outbreak.prepare();
    const std::vector<float> got = outbreak.run();
    const std::vector<double> want = reference(seed, days, rates);

    int wrong = 0;
    for (int d = 0; d <= days; ++d)
        if (!(std::fabs(got[d] - want[d]) <= 1e-3 * want[d])) ++wrong;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}

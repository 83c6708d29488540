#include "plan.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace {

std::vector<int> scan(int frame, std::size_t width)
{
    std::vector<int> line(width);
    std::iota(line.begin(), line.end(), frame * 13);
    std::transform(line.begin(), line.end(), line.begin(), [](int v) { return (v * 29) % 251; });
    return line;
}

long long compare(const fovea::FoveaPlan& plan, const std::vector<int>& line, const std::vector<int>& got)
{
    long long wrong = 0;
    for (std::size_t l = 0; l < plan.levels().size(); ++l) {
        const auto& level = plan.levels()[l];
        const auto taps = fovea::make_kernel(level);
        const auto* row = got.data() + plan.offset(l);
        for (int i = 0; i < level.width; ++i) {
            int sum = 0;
            for (int k = 0; k < fovea::kTaps; ++k) sum += taps[k] * line[std::clamp(i + k - fovea::kTaps / 2, 0, level.width - 1)];
            wrong += sum != row[i];
        }
    }
    return wrong;
}

}  // namespace

int main()
{
    try {
        fovea::FoveaPlan plan({{4096, 2}, {2048, 3}, {1024, 5}, {512, 7}});
        plan.build();

        long long wrong = 0;
        for (int frame = 0; frame < 6; ++frame) {
            const auto line = scan(frame, 4096);
            wrong += compare(plan, line, plan.run(line));
        }
        wrong ? std::printf("WRONG %lld\n", wrong) : std::printf("DONE\n");
    } catch (const fovea::Failure& f) {
        std::printf("ERROR %s\n", f.what());
        return EXIT_FAILURE;
    }
}

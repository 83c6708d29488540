#include "survey.cuh"

#include <cstdio>
#include <future>
#include <vector>

int main()
{
    using namespace seis;
    const SurveyConfig cfg;
    try {
        SlabPool pool(cfg.slabs, cfg.samples);

        std::vector<std::future<std::vector<float>>> lines;
        for (int line = 0; line < cfg.lines; ++line)
            lines.push_back(std::async(std::launch::async, [&cfg, &pool, line] { return process_line(cfg, pool, line); }));

        long long wrong = 0;
        for (int line = 0; line < cfg.lines; ++line) {
            const auto image = lines[line].get();
            for (int shot = 0; shot < cfg.shots_per_line; ++shot)
                for (std::size_t i = 0; i < cfg.samples; ++i)
                    wrong += image[cfg.samples * shot + i] != migrated_sample(trace_sample(line, shot, i), shot);
        }

        if (wrong)
            std::printf("WRONG %lld\n", wrong);
        else
            std::printf("DONE\n");
    } catch (const CudaError& e) {
        std::printf("ERROR %s\n", cudaGetErrorName(e.code));
        return 1;
    }
}

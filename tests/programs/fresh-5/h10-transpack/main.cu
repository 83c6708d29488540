#include "encoder.cuh"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace {

struct Job {
    tc::Frame source;
    tc::Frame coded;
};

struct Options {
    std::size_t lanes = 4;
    std::size_t rounds = 3;
    std::size_t words = 1u << 17;
};

std::vector<Job> make_jobs(const Options& opt)
{
    std::vector<Job> jobs(opt.lanes * opt.rounds);
    tc::Word seed = 1;
    for (auto& job : jobs) {
        job.source.resize(opt.words);
        job.coded.resize(opt.words);
        std::generate(job.source.begin(), job.source.end(), [&seed] { return seed = seed * 1103515245u + 12345u; });
    }
    return jobs;
}

long long audit(const std::vector<Job>& jobs, tc::Word quality)
{
    long long wrong = 0;
    for (const auto& [source, coded] : jobs)
        for (std::size_t i = 0; i < source.size(); ++i) wrong += coded[i] != tc::quantise(source[i], quality);
    return wrong;
}

int transcode(const Options& opt)
{
    auto jobs = make_jobs(opt);
    std::vector<std::unique_ptr<tc::Intra>> lanes(opt.lanes);
    std::generate(lanes.begin(), lanes.end(), [&] { return std::make_unique<tc::Intra>(opt.words); });

    const auto finish_all = [&] { std::for_each(lanes.begin(), lanes.end(), [](auto& lane) { lane->finish(); }); };

    for (std::size_t l = 0; l < opt.lanes; ++l) lanes[l]->submit(jobs[l].source, jobs[l].coded);
    finish_all();

    const double single = tc::seconds([&] {
        lanes.front()->submit(jobs.front().source, jobs.front().coded);
        lanes.front()->finish();
    });

    const double total = tc::seconds([&] {
        for (std::size_t j = 0; j < jobs.size(); ++j) lanes[j % opt.lanes]->submit(jobs[j].source, jobs[j].coded);
        finish_all();
    });

    std::printf("single %.1f ms, %zu jobs on %zu lanes %.1f ms\n", single * 1e3, jobs.size(), opt.lanes, total * 1e3);

    if (const auto wrong = audit(jobs, lanes.front()->quality())) {
        std::printf("WRONG %lld\n", wrong);
        return 1;
    }
    const double ratio = total / (single * static_cast<double>(opt.rounds));
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}

}  // namespace

int main()
{
    try {
        return transcode(Options{});
    } catch (const tc::CudaFault& f) {
        std::printf("ERROR %s\n", cudaGetErrorName(f.code));
        return 1;
    }
}

#include "lane.cuh"

#include <array>
#include <chrono>
#include <vector>

namespace {

using scanner_lane = ct::lane<ct::compact_policy>;

constexpr int kLanes = 4;
constexpr int kRounds = 4;

// Scout scans are short, volume scans are long; they alternate on every lane.
int projections_of(int round) { return round % 2 == 0 ? 512 : 2048; }

unsigned expected_digest(const ct::scan_job& job)
{
    unsigned sum = 0;
    for (int i = 0; i < job.projections * ct::kDetectors; ++i)
        sum += (static_cast<unsigned>(i) ^ static_cast<unsigned>(job.seed)) & 1023u;
    return sum;
}

double seconds_since(std::chrono::steady_clock::time_point t0)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
}

}  // namespace

int main()
{
    constexpr int jobs_total = kLanes * kRounds;
    unsigned* digests = nullptr;
    CT_CALL(cudaMalloc(&digests, (jobs_total + 1) * sizeof(unsigned)));
    CT_CALL(cudaMemset(digests, 0, (jobs_total + 1) * sizeof(unsigned)));
    CT_CALL(cudaDeviceSynchronize());

    long wrong = 0;
    double ratio = 0;
    {
        std::array<scanner_lane, kLanes> lanes;
        const ct::scan_job scout{projections_of(1), 0, digests + jobs_total};
        for (scanner_lane& l : lanes) {
            l.enqueue(scout);
            l.wait();
        }

        const auto single0 = std::chrono::steady_clock::now();
        lanes[0].enqueue(scout);
        lanes[0].wait();
        const double single = seconds_since(single0);

        std::vector<ct::scan_job> jobs;
        for (int k = 0; k < jobs_total; ++k)
            jobs.push_back({projections_of(k / kLanes), 100 + k, digests + k});

        const auto start = std::chrono::steady_clock::now();
        for (int k = 0; k < jobs_total; ++k) lanes[k % kLanes].enqueue(jobs[k]);
        for (scanner_lane& l : lanes) l.wait();
        ratio = seconds_since(start) / (single * kRounds);

        std::vector<unsigned> got(jobs_total);
        CT_CALL(cudaMemcpy(got.data(), digests, jobs_total * sizeof(unsigned),
                           cudaMemcpyDeviceToHost));
        for (int k = 0; k < jobs_total; ++k) wrong += got[k] != expected_digest(jobs[k]);
    }
    CT_CALL(cudaFree(digests));

    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}

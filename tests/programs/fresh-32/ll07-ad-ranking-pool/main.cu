#include <deque>
#include <vector>

#include "stages.cuh"

namespace {

class Ranker {
public:
    explicit Ranker(ads::IScorer& scorer) : scorer_(scorer) {}

    void serve(const std::deque<ads::Request>& queue, long long* totals) {
        for (const auto& r : queue) scorer_.score(retriever_.retrieve(r), totals + r.id);
    }

private:
    ads::Retriever retriever_;
    ads::IScorer& scorer_;
};

long long expected(int bias) {
    return (long long)ads::kCandidates * bias + (long long)(ads::kCandidates / 8) * 28;
}

}  // namespace

int main() {
    using ads::Check;
    constexpr int kRequests = 12;
    std::deque<ads::Request> queue;
    for (int i = 0; i < kRequests; ++i) queue.push_back({i, 10 + 3 * i});

    long long* totals = nullptr;
    Check::ok(cudaMalloc(&totals, kRequests * sizeof(long long)));
    Check::ok(cudaMemset(totals, 0, kRequests * sizeof(long long)));
    Check::ok(cudaDeviceSynchronize());

    std::vector<long long> got(kRequests);
    {
        ads::SumScorer scorer;
        Ranker ranker(scorer);
        ranker.serve(queue, totals);
        scorer.drain();
    }
    Check::ok(cudaMemcpy(got.data(), totals, kRequests * sizeof(long long), cudaMemcpyDeviceToHost));
    Check::ok(cudaFree(totals));

    int bad = 0;
    for (int i = 0; i < kRequests; ++i) bad += got[i] != expected(queue[i].user_bias);
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return bad != 0;
}

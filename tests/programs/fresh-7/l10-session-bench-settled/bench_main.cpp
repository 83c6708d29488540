#include "session.h"

#include <chrono>
#include <cstring>

namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions {
    int lanes = 2;
    int width = 256;
    int warmup = 4;
    int requests = 40;
};

struct BenchReport {
    double millisPerRequest = 0;
    double requestsPerSecond = 0;
};

class ThroughputBench {
public:
    ThroughputBench(InferenceSession& s, BenchOptions o, const int* in, int* out)
        : session_(s), opt_(o), in_(in), out_(out) {}

    BenchReport run() {
        feed(opt_.warmup);
        session_.drain();
        cuCheck(cudaDeviceSynchronize());

        begin_ = Clock::now();
        feed(opt_.requests);
        session_.drain();
        const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin_).count();

        BenchReport report;
        report.millisPerRequest = ms / opt_.requests;
        report.requestsPerSecond = 1000.0 * opt_.requests / ms;
        return report;
    }

    Clock::time_point begin() const { return begin_; }

private:
    void feed(int count) {
        for (int i = 0; i < count; ++i) session_.submit({i, in_ + i * opt_.width, out_ + i * opt_.width});
    }

    InferenceSession& session_;
    BenchOptions opt_;
    const int* in_;
    int* out_;
    Clock::time_point begin_;
};

int inputValue(int request, int i) { return request * 31 + i; }

int mismatches(const std::vector<int>& out, const BenchOptions& o) {
    int bad = 0;
    for (int r = 0; r < o.requests; ++r)
        for (int i = 0; i < o.width; ++i) {
            const int j = o.width - 1 - i;
            const int a = inputValue(r, i) * 3 + i, b = inputValue(r, j) * 3 + j;
            bad += out[r * o.width + i] != (a ^ b);
        }
    return bad;
}

}  // namespace

int main() {
    const BenchOptions opt;
    std::vector<int> host(size_t(opt.requests) * opt.width);
    for (int r = 0; r < opt.requests; ++r)
        for (int i = 0; i < opt.width; ++i) host[r * opt.width + i] = inputValue(r, i);
    const size_t bytes = host.size() * sizeof(int);
    int *in = nullptr, *out = nullptr;
    cuCheck(cudaMalloc(&in, bytes));
    cuCheck(cudaMalloc(&out, bytes));
    cuCheck(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice));
    cuCheck(cudaDeviceSynchronize());

    double reported = 0, honest = 0;
    {
        InferenceSession session(opt.lanes, opt.width);
        ThroughputBench bench(session, opt, in, out);
        const BenchReport report = bench.run();
        reported = report.millisPerRequest;
        cuCheck(cudaDeviceSynchronize());
        honest = std::chrono::duration<double, std::milli>(Clock::now() - bench.begin()).count() / opt.requests;
        std::fprintf(stderr, "%.3f ms/request, %.1f requests/s\n", reported, report.requestsPerSecond);
    }
    cuCheck(cudaMemcpy(host.data(), out, bytes, cudaMemcpyDeviceToHost));
    cudaFree(in);
    cudaFree(out);

    const int bad = mismatches(host, opt);
    if (bad)
        std::printf("WRONG %d\n", bad);
    else if (honest > 1.5 * reported)
        std::printf("SLOW %.2f\n", honest / reported);
    else
        std::printf("DONE\n");
    return 0;
}

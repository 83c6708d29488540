#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "probes.h"
#include "workload.h"

using namespace suite;

namespace {

constexpr int kWarm = 2;
constexpr int kCalls = 12;
constexpr double kServiceMs = 8.0;

struct Row {
    std::string probe;
    double ms;
    int first;
};

// Runs one probe after the other, each over its own range of requests and
// with a short rehearsal.
class Suite {
public:
    Suite() { good(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Suite() { cudaStreamDestroy(stream_); }
    Suite(const Suite&) = delete;
    Suite& operator=(const Suite&) = delete;

    template <class P>
    Suite& with() {
        probes_.push_back(std::make_unique<P>());
        return *this;
    }
    int requests() const { return static_cast<int>(probes_.size()) * (kWarm + kCalls); }

    std::vector<Row> run(LookupService& service) {
        const Work work = [&service](cudaStream_t s, int r) { service.submit(s, r); };
        std::vector<Row> rows;
        int next = 0;
        for (auto& p : probes_) {
            p->measure(stream_, work, next, kWarm);
            next += kWarm;
            const double ms = p->measure(stream_, work, next, kCalls);
            rows.push_back(Row{p->name(), ms, next});
            next += kCalls;
        }
        return rows;
    }

private:
    cudaStream_t stream_ = nullptr;
    std::vector<std::unique_ptr<Probe>> probes_;
};

double device_ms(const std::vector<Span>& spans, int first) {
    long long sum = 0;
    for (int r = first; r < first + kCalls; ++r) {
        const Span& s = spans[static_cast<size_t>(r)];
        sum += s.end - s.begin;
    }
    return static_cast<double>(sum) * 1e-6 / kCalls;
}

}  // namespace

int main() {
    try {
        Suite suite;
        suite.with<RequestProbe>().with<QueueProbe>().with<ClientProbe>();
        LookupService service(suite.requests(), kServiceMs);
        const std::vector<Row> rows = suite.run(service);
        const std::vector<unsigned> answers = service.answers();
        long bad = 0;
        for (size_t r = 0; r < answers.size(); ++r) bad += answers[r] != LookupService::expected(static_cast<int>(r));
        if (bad) {
            std::printf("WRONG %ld\n", bad);
            return 1;
        }
        const std::vector<Span> spans = service.spans();
        double worst = 1.0;
        for (const Row& row : rows) {
            const double honest = device_ms(spans, row.first);
            const double ratio = row.ms > honest ? row.ms / honest : honest / row.ms;
            if (ratio > worst) worst = ratio;
        }
        if (worst > 1.5) {
            std::printf("SLOW %.2f\n", worst);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const BenchError& e) {
        std::printf("ERROR %s\n", e.name.c_str());
        return 1;
    }
}

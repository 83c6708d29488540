// Read mapper: a parser thread feeds batches, the GPU scores them, a writer thread emits the report:
// first the header with the score histogram, then one record per batch.
#include <cstdio>
#include <future>
#include <thread>

#include "mapper.h"

namespace {

constexpr int kBatches = 8;
constexpr std::size_t kParsedAhead = 3;
constexpr std::size_t kFinishedAhead = 2;

char base(unsigned i) {
    i ^= i >> 7;
    return "ACGT"[(i * 2654435761u >> 28) & 3];
}

void parse(std::vector<BatchPtr> blank, Channel<BatchPtr>& parsed) {
    for (BatchPtr& b : blank) {
        for (int i = 0; i < kReadsPerBatch * kReadLength; ++i) b->bases[i] = base(i + 977u * b->number);
        parsed.put(std::move(b));
    }
    parsed.close();
}

struct Report {
    Histogram header{};
    Histogram records{};
    int batches = 0, wrong = 0;
};

class Writer {
public:
    Writer(Mapper& mapper, Channel<BatchPtr>& finished, const std::vector<char>& seed)
        : mapper_(mapper), finished_(finished), seed_(seed) {}

    Report operator()() {
        Report report;
        header(report);
        while (report.batches < kBatches) {
            std::optional<BatchPtr> batch = finished_.get();
            if (!batch) break;
            record(**batch, report);
        }
        return report;
    }

private:
    void header(Report& report) { report.header = mapper_.histogram(); }

    void record(const Batch& b, Report& report) {
        for (int r = 0; r < kReadsPerBatch; ++r) {
            const auto want = scoreRead(b.bases + r * kReadLength, seed_.data());
            report.wrong += b.scores[r] != want;
            ++report.records[want];
        }
        ++report.batches;
    }

    Mapper& mapper_;
    Channel<BatchPtr>& finished_;
    const std::vector<char>& seed_;
};

}  // namespace

int main() {
    std::vector<char> seed(kReadLength);
    for (int k = 0; k < kReadLength; ++k) seed[k] = base(31u * k + 5);

    std::vector<BatchPtr> blank;
    for (int n = 0; n < kBatches; ++n) blank.push_back(std::make_shared<Batch>(n));

    Channel<BatchPtr> parsed(kParsedAhead), finished(kFinishedAhead);
    Mapper mapper(seed, finished);

    std::thread parser(parse, blank, std::ref(parsed));
    while (std::optional<BatchPtr> batch = parsed.get()) mapper.submit(std::move(*batch));
    parser.join();

    std::future<Report> pending = std::async(std::launch::async, Writer(mapper, finished, seed));
    const Report report = pending.get();

    int wrong = report.wrong + (report.batches != kBatches) + (report.header != report.records);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

#include <cstdio>
#include <random>
#include <vector>

#include "rule_book.h"
#include "scanner.h"

namespace {

std::vector<unsigned> draw(std::mt19937& rng, std::size_t n) {
    std::uniform_int_distribution<unsigned> dist(0, 1u << 16);
    std::vector<unsigned> v(n);
    for (auto& x : v) x = dist(rng);
    return v;
}

int expectedHits(const std::vector<unsigned>& packets, const RuleBook& book) {
    int n = 0;
    for (unsigned p : packets) n += book.contains(p);
    return n;
}

int run() {
    std::mt19937 rng(17);
    cudaStream_t ingest = nullptr;
    require(cudaStreamCreateWithFlags(&ingest, cudaStreamNonBlocking));

    std::vector<std::vector<unsigned>> traffic;
    std::vector<DeviceArray<unsigned>> batches;
    for (int b = 0; b < 6; ++b) {
        traffic.push_back(draw(rng, 20000));
        batches.emplace_back(traffic.back(), ingest);
    }

    RuleBook book;
    book.publish(draw(rng, 3000));

    Scanner scanner;
    scanner.start();
    int wrong = 0;
    for (std::size_t b = 0; b < batches.size(); ++b) {
        if (b == 3) book.publish(draw(rng, 9000));
        const int hits = scanner.scan(batches[b], book.table());
        wrong += hits != expectedHits(traffic[b], book);
    }
    scanner.stop();
    require(cudaStreamDestroy(ingest));
    return wrong;
}

}  // namespace

int main() {
    try {
        const int wrong = run();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const CudaFailure& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}

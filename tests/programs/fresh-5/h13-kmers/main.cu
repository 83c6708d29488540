#include "stages.cuh"

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace genomics {

[[noreturn]] void die(cudaError_t rc)
{
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

class Counter {
public:
    explicit Counter(int reads) : reads_(reads), hits_(dev<unsigned>(reads)), total_(dev<unsigned>(1)), scan_(60'000'000), sum_(reads)
    {
        must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        void* p = nullptr;
        must(cudaMallocHost(&p, sizeof(unsigned)));
        answer_ = std::shared_ptr<unsigned>(static_cast<unsigned*>(p), [](unsigned* q) { cudaFreeHost(q); });
        must(cudaDeviceSynchronize());
    }
    ~Counter() { cudaStreamDestroy(stream_); }

    unsigned count(unsigned batch)
    {
        scan_(hits_.get(), reads_, batch, stream_);
        sum_(hits_.get(), total_.get(), reads_);
        fetch_(answer_.get(), total_.get(), stream_);
        must(cudaStreamSynchronize(stream_));
        return *answer_;
    }

private:
    int reads_;
    Dev<unsigned> hits_, total_;
    std::shared_ptr<unsigned> answer_;
    cudaStream_t stream_{};
    Scan scan_;
    Total sum_;
    Fetch fetch_;
};

}  // namespace genomics

int main()
{
    constexpr int reads = 1 << 19;
    constexpr unsigned batches = 6;

    genomics::Counter counter(reads);
    std::vector<unsigned> batch_ids(batches);
    std::iota(batch_ids.begin(), batch_ids.end(), 1u);

    int wrong = 0;
    for (const unsigned batch : batch_ids) {
        unsigned expected = 0;
        for (int r = 0; r < reads; ++r) expected += genomics::kmer_hits(static_cast<unsigned>(r), batch);
        wrong += counter.count(batch) != expected;
    }

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}

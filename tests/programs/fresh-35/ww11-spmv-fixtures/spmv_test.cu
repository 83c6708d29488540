// Tests of the split SpMV: results, chains of applications, and its reported time.
#include "split_spmv.cuh"
#include <algorithm>
#include <chrono>
#include <memory>

class SpmvTest : public minitest::Test {
protected:
    static constexpr int kRows = 8192, kShort = 6144;

    void SetUp() override
    {
        for (int i = 0; i < kRows; ++i) x.push_back(i % 97 + 1);
        ASSERT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        ASSERT_CUDA(cudaMalloc(&dx, kRows * sizeof(unsigned)));
        ASSERT_CUDA(cudaMalloc(&dy, kRows * sizeof(unsigned)));
        ASSERT_CUDA(cudaMemcpy(dx, x.data(), kRows * sizeof(unsigned), cudaMemcpyHostToDevice));
        op = std::make_unique<SplitSpmv>(matrix);
        ASSERT_CUDA(cudaDeviceSynchronize());
    }
    void TearDown() override
    {
        op.reset();
        ASSERT_CUDA(cudaFree(dy));
        ASSERT_CUDA(cudaFree(dx));
        ASSERT_CUDA(cudaStreamDestroy(stream));
    }
    std::vector<unsigned> Fetch(const unsigned* d)
    {
        std::vector<unsigned> v(kRows);
        op->Collect(stream);
        ASSERT_CUDA(cudaMemcpyAsync(v.data(), d, kRows * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
        ASSERT_CUDA(cudaStreamSynchronize(stream));
        return v;
    }
    void Chain(int n)
    {
        for (int i = 0; i < n; ++i) i % 2 ? op->Apply(dy, dx, stream) : op->Apply(dx, dy, stream);
    }

    const Csr matrix = Csr::Make(kRows, kShort);
    std::vector<unsigned> x;
    unsigned *dx = nullptr, *dy = nullptr;
    cudaStream_t stream = nullptr;
    std::unique_ptr<SplitSpmv> op;
};

class SpmvTiming : public SpmvTest {
protected:
    void SetUp() override
    {
        SpmvTest::SetUp();
        ASSERT_CUDA(cudaMalloc(&junk, kJunk));
        ASSERT_CUDA(cudaEventCreate(&start));
        ASSERT_CUDA(cudaEventCreate(&stop));
        Chain(2);
    }
    void TearDown() override
    {
        ASSERT_CUDA(cudaEventDestroy(stop));
        ASSERT_CUDA(cudaEventDestroy(start));
        ASSERT_CUDA(cudaFree(junk));
        SpmvTest::TearDown();
    }
    // One application with a quiet device and a second level cache full of something else.
    double ColdSample()
    {
        float ms = 0;
        ASSERT_CUDA(cudaDeviceSynchronize());
        ASSERT_CUDA(cudaMemsetAsync(junk, 0x5a, kJunk, stream));
        ASSERT_CUDA(cudaEventRecord(start, stream));
        op->Apply(dx, dy, stream);
        op->Collect(stream);
        ASSERT_CUDA(cudaEventRecord(stop, stream));
        ASSERT_CUDA(cudaEventSynchronize(stop));
        ASSERT_CUDA(cudaEventElapsedTime(&ms, start, stop));
        return ms;
    }

    static constexpr std::size_t kJunk = 96u << 20;
    void* junk = nullptr;
    cudaEvent_t start = nullptr, stop = nullptr;
};

TEST_F(SpmvTest, OneApplication)
{
    Chain(1);
    EXPECT_EQ(Fetch(dy), matrix.Times(x));
}

TEST_F(SpmvTest, FourApplications)
{
    Chain(4);
    for (int i = 0; i < 4; ++i) x = matrix.Times(x);
    EXPECT_EQ(Fetch(dx), x);
}

TEST_F(SpmvTiming, MedianMatchesLoop)
{
    std::vector<double> samples;
    for (int i = 0; i < 11; ++i) samples.push_back(ColdSample());
    std::sort(samples.begin(), samples.end());

    ASSERT_CUDA(cudaDeviceSynchronize());
    const auto t0 = std::chrono::steady_clock::now();
    Chain(10);
    op->Collect(stream);
    ASSERT_CUDA(cudaStreamSynchronize(stream));
    const std::chrono::duration<double, std::milli> loop = std::chrono::steady_clock::now() - t0;
    EXPECT_WITHIN_FACTOR(samples[5], loop.count() / 10, 1.5);
}

int main() { return minitest::runAll(); }

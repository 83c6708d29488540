// Feature extraction front end: requests are spread round-robin over streams; each one
// gathers a patch plane, refines it and writes a descriptor row.
#include "scratch_pool.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>

namespace vision {

constexpr int kPlane = 1 << 16;
constexpr int kRow = 256;
constexpr int kRequests = 12;

struct Request {
    int id{};
    std::uint32_t seed{};
    std::uint32_t *row{};  // device, kRow entries
};

__host__ __device__ constexpr std::uint32_t patch_value(std::uint32_t i, std::uint32_t seed)
{
    return (i * 3u + seed * 17u) % 251u + seed;
}

__global__ void gather_patch(std::uint32_t *plane, std::uint32_t seed)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kPlane; i += gridDim.x * blockDim.x)
        plane[i] = patch_value(i, seed);
}

__global__ void refine_patch(std::uint32_t *plane, unsigned long long budget_ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < budget_ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kPlane; i += gridDim.x * blockDim.x)
        plane[i] = plane[i] * 2u + 1u;
}

__global__ void describe_patch(const std::uint32_t *plane, std::uint32_t *row)
{
    const int per = kPlane / kRow;
    std::uint32_t acc = 0;
    for (int k = 0; k < per; ++k)
        acc += plane[k * kRow + threadIdx.x];
    row[threadIdx.x] = acc;
}

class Extractor {
public:
    explicit Extractor(std::size_t lanes) : streams_(lanes)
    {
        for (cudaStream_t &s : streams_)
            must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    ~Extractor()
    {
        for (cudaStream_t s : streams_)
            cudaStreamDestroy(s);
    }

    void submit(const Request &req)
    {
        cudaStream_t lane = streams_[req.id % streams_.size()];
        auto scratch = pool_.acquire();
        gather_patch<<<16, 256, 0, lane>>>(scratch.data(), req.seed);
        refine_patch<<<16, 256, 0, lane>>>(scratch.data(), 25'000'000ull);
        describe_patch<<<1, kRow, 0, lane>>>(scratch.data(), req.row);
        must(cudaGetLastError());
    }

    void wait_idle() const
    {
        std::ranges::for_each(streams_, [](cudaStream_t s) { must(cudaStreamSynchronize(s)); });
    }

private:
    ScratchPool<std::uint32_t> pool_{kPlane};
    std::vector<cudaStream_t> streams_;
};

bool row_matches(std::span<const std::uint32_t> row, std::uint32_t seed)
{
    const int per = kPlane / kRow;
    for (int c = 0; c < kRow; ++c) {
        std::uint32_t acc = 0;
        for (int k = 0; k < per; ++k)
            acc += patch_value(k * kRow + c, seed) * 2u + 1u;
        if (acc != row[c])
            return false;
    }
    return true;
}

}  // namespace vision

int main()
{
    using namespace vision;
    std::uint32_t *rows = nullptr;
    must(cudaMalloc(&rows, sizeof(std::uint32_t) * kRow * kRequests));

    std::array<Request, kRequests> requests{};
    for (int i = 0; i < kRequests; ++i)
        requests[i] = Request{.id = i, .seed = 5u + 11u * i, .row = rows + i * kRow};

    std::vector<std::uint32_t> host(kRow * kRequests);
    {
        Extractor extractor(4);
        for (const Request &r : requests)
            extractor.submit(r);
        extractor.wait_idle();
    }
    must(cudaMemcpy(host.data(), rows, host.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    must(cudaFree(rows));

    const auto wrong = std::ranges::count_if(requests, [&](const Request &r) {
        return !row_matches(std::span(host).subspan(r.id * kRow, kRow), r.seed);
    });
    if (wrong)
        std::printf("WRONG %d\n", static_cast<int>(wrong));
    else
        std::puts("DONE");
    return wrong ? 1 : 0;
}

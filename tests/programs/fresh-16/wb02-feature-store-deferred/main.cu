#include <cstdio>
#include <vector>

#include "block_cache.h"
#include "service.cuh"
#include "status.h"

using namespace fstore;

namespace {
class Client {
public:
    Client(LookupService& svc, BlockCache& cache, int max_ids) : svc_(svc), cache_(cache) {
        const size_t row_bytes = size_t(max_ids) * svc.dim() * sizeof(float);
        FS_CHECK(cudaHostAlloc(&ids_, max_ids * sizeof(int), cudaHostAllocDefault));
        FS_CHECK(cudaHostAlloc(&rows_, row_bytes, cudaHostAllocDefault));
        FS_CHECK(cudaStreamCreateWithFlags(&io_, cudaStreamNonBlocking));
    }
    ~Client() {
        cudaStreamDestroy(io_);
        cudaFreeHost(rows_);
        cudaFreeHost(ids_);
    }

    int query(int seed, int n, const std::vector<float>& table, int vocab) {
        for (int i = 0; i < n; ++i) ids_[i] = (seed * 977 + i * 31) % vocab;
        const size_t row_bytes = size_t(n) * svc_.dim() * sizeof(float);
        Loan d_ids(cache_, n * sizeof(int));
        Loan d_rows(cache_, row_bytes);
        FS_CHECK(cudaMemcpyAsync(d_ids.as<int>(), ids_, n * sizeof(int), cudaMemcpyHostToDevice, io_));
        FS_CHECK(cudaStreamSynchronize(io_));
        svc_.lookup(d_ids.as<int>(), d_rows.as<float>(), n);
        FS_CHECK(cudaMemcpyAsync(rows_, d_rows.as<float>(), row_bytes, cudaMemcpyDeviceToHost, io_));
        FS_CHECK(cudaStreamSynchronize(io_));
        int wrong = 0;
        for (int i = 0; i < n * svc_.dim(); ++i)
            if (rows_[i] != table[size_t(ids_[i / svc_.dim()]) * svc_.dim() + i % svc_.dim()]) ++wrong;
        return wrong;
    }
private:
    LookupService& svc_;
    BlockCache& cache_;
    int* ids_ = nullptr;
    float* rows_ = nullptr;
    cudaStream_t io_ = nullptr;
};
}  // namespace

int main() {
    constexpr int kVocab = 4096, kDim = 64, kIds = 2048, kRequests = 12;
    std::vector<float> table(size_t(kVocab) * kDim);
    for (size_t i = 0; i < table.size(); ++i) table[i] = float((i * 13) % 1009);

    BlockCache cache(size_t(16) << 20);
    cache.reserve(4, size_t(8) << 20);
    LookupService service(table, kDim);
    Client client(service, cache, kIds);
    service.start();
    int wrong = 0;
    for (int r = 0; r < kRequests; ++r) wrong += client.query(r, kIds - 64 * r, table, kVocab);
    service.stop();
    cache.compact();

    wrong ? std::printf("WRONG %d\n", wrong) : std::printf("DONE\n");
    return wrong != 0;
}

// Document index under load: batches arrive while earlier generations are still searched.
#include <vector>
#include "index.cuh"

namespace {

class Pool {
public:
    Pool()
    {
        cudaMemPoolProps props = {};
        props.allocType = cudaMemAllocationTypePinned;
        props.location.type = cudaMemLocationTypeDevice;
        props.location.id = 0;
        idx::expect(cudaMemPoolCreate(&pool_, &props));
        unsigned long long keep = ~0ull;
        idx::expect(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
    }
    ~Pool() { cudaMemPoolDestroy(pool_); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    operator cudaMemPool_t() const { return pool_; }

private:
    cudaMemPool_t pool_ = nullptr;
};

struct Batch {
    uint32_t count;
    uint32_t log2_slots;
};

}  // namespace

int main()
{
    const std::vector<Batch> batches = {
        {100000, 18}, {100000, 19}, {50000, 19}, {150000, 20}, {100000, 20}, {200000, 21},
    };
    uint32_t total = 0;
    for (const Batch& b : batches) total += b.count;

    idx::expect(cudaSetDevice(0));
    idx::Slot* entries = nullptr;
    unsigned long long *hits = nullptr, *host_hits = nullptr;
    idx::expect(cudaMallocHost(&entries, total * sizeof(idx::Slot)));
    idx::expect(cudaMallocHost(&host_hits, batches.size() * sizeof(*host_hits)));
    idx::expect(cudaMalloc(&hits, batches.size() * sizeof(*hits)));
    for (uint32_t id = 0; id < total; ++id) entries[id] = (idx::Slot(idx::key_of(id)) << 32) | idx::value_of(id);

    std::size_t wrong = 0;
    {
        Pool pool;
        idx::GenerationIndex index(pool);
        idx::expect(cudaMemsetAsync(hits, 0, batches.size() * sizeof(*hits), index.reader()));
        uint32_t known = 0;
        for (std::size_t g = 0; g < batches.size(); ++g) {
            index.advance(entries + known, batches[g].count, batches[g].log2_slots);
            known += batches[g].count;
            index.query(known, hits + g);
        }
        idx::expect(cudaMemcpyAsync(host_hits, hits, batches.size() * sizeof(*hits), cudaMemcpyDeviceToHost, index.reader()));
        index.settle();

        known = 0;
        for (std::size_t g = 0; g < batches.size(); ++g) {
            known += batches[g].count;
            wrong += host_hits[g] != known;
        }
    }
    cudaFree(hits);
    cudaFreeHost(host_hits);
    cudaFreeHost(entries);

    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

// Feature store: a lookup service stays on the device and answers small requests from a
// mailbox, while new batches of features are loaded into the table beside it.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>
#include "hash_table.cuh"

enum : uint32_t { kLookup = 1, kStop = 2 };

struct Mailbox {
    uint32_t seq, op, count, ack;
};

__global__ void serve(TableView table, volatile Mailbox* box, const uint32_t* keys, volatile uint32_t* values)
{
    __shared__ uint32_t op, count;
    for (uint32_t seen = 1;; ++seen) {
        if (threadIdx.x == 0) {
            while (box->seq != seen) __nanosleep(500);
            __threadfence_system();
            op = box->op;
            count = box->count;
        }
        __syncthreads();
        if (op == kStop) return;
        for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) values[i] = find(table, __ldcv(keys + i));
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) box->ack = seen;
    }
}

class LookupService {
public:
    LookupService(const TableView& table, uint32_t max_keys) : box_(1), keys_(max_keys), values_(max_keys)
    {
        std::memset(box_.data(), 0, sizeof(Mailbox));
        CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        serve<<<1, 256, 0, stream_>>>(table, box_.data(), keys_.data(), values_.data());
        CUDA_OK(cudaGetLastError());
    }
    ~LookupService()
    {
        post(kStop, 0);
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    const volatile uint32_t* ask(const std::vector<uint32_t>& keys)
    {
        std::copy(keys.begin(), keys.end(), keys_.data());
        post(kLookup, static_cast<uint32_t>(keys.size()));
        volatile Mailbox* box = box_.data();
        while (box->ack != seq_) {}
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return values_.data();
    }

private:
    void post(uint32_t op, uint32_t count)
    {
        volatile Mailbox* box = box_.data();
        box->op = op;
        box->count = count;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        box->seq = ++seq_;
    }
    HostBuffer<Mailbox> box_;
    HostBuffer<uint32_t> keys_, values_;
    uint32_t seq_ = 0;
    cudaStream_t stream_ = nullptr;
};

static uint32_t feature_key(uint32_t id) { return (id + 1) * 2654435761u; }
static uint32_t feature_value(uint32_t id) { return id ^ 0x5bd1u; }

int main()
{
    const std::vector<uint32_t> batches = {1u << 20, 1u << 20, 3u << 19, 1u << 21};
    const uint32_t total = std::accumulate(batches.begin(), batches.end(), 0u);
    const uint32_t per_request = 4096;

    HostBuffer<uint32_t> keys(total), values(total);
    for (uint32_t id = 0; id < total; ++id) {
        keys[id] = feature_key(id);
        values[id] = feature_value(id);
    }

    HashTable table(24);
    table.reserve(*std::max_element(batches.begin(), batches.end()));
    uint32_t loaded = batches.front();
    table.insert(keys.data(), values.data(), loaded);
    table.wait();

    std::size_t wrong = 0;
    {
        LookupService service(table.view(), per_request);
        std::vector<uint32_t> request(per_request);
        for (std::size_t b = 0; b < batches.size(); ++b) {
            if (b > 0) {
                table.insert(keys.data() + loaded, values.data() + loaded, batches[b]);
                table.wait();
                loaded += batches[b];
            }
            for (uint32_t i = 0; i < per_request; ++i) request[i] = feature_key((i * 7919u) % loaded);
            const volatile uint32_t* answer = service.ask(request);
            for (uint32_t i = 0; i < per_request; ++i) wrong += answer[i] != feature_value((i * 7919u) % loaded);
        }
    }

    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

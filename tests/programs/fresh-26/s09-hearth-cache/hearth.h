#pragma once
// hearth: an embedding table in host memory with a device cache in front of it.
#include <cuda_runtime.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "stage_buffer.h"

namespace hearth {

struct CacheConfig {
    int vocabulary = 0;
    int dim = 0;
    int capacity = 0;       // rows on the device
    int max_lookup = 4096;  // keys per lookup
    int fetch_rows = 128;   // rows per fetch, as a rule
};

// The rows in host memory, one after the other.
class HostTable {
public:
    HostTable(int vocabulary, int dim) : dim_(dim), values_(std::size_t(vocabulary) * dim) {}
    float* row(int key) { return values_.data() + std::size_t(key) * dim_; }
    const float* row(int key) const { return values_.data() + std::size_t(key) * dim_; }

private:
    int dim_;
    std::vector<float> values_;
};

// Keys that a lookup did not find, and the answer; in mapped host memory.
struct MissBox {
    unsigned posted;
    unsigned served;
    int count;
    int keys[1];
};

struct DeviceCache {
    float* rows;
    int* slot_of_key;
    int dim;
};

struct Assignment {
    int key;
    int slot;
};

void launch_resolve(const int* keys, int count, DeviceCache cache, MissBox* box, unsigned ticket, cudaStream_t);
void launch_gather(const int* keys, int count, DeviceCache cache, float* out, cudaStream_t);
void launch_scatter(const float* rows, const Assignment* where, int count, DeviceCache cache, cudaStream_t);

// Answers miss boxes on a thread of its own.
class FetchService {
public:
    FetchService(const CacheConfig& config, const HostTable& table, DeviceCache cache, MissBox* box);
    ~FetchService();

private:
    void loop();
    void fetch(int count);

    CacheConfig config_;
    const HostTable& table_;
    DeviceCache cache_;
    MissBox* box_;
    int device_ = 0;
    int used_ = 0;
    cudaStream_t stream_ = nullptr;
    StageBuffer<float> rows_;
    StageBuffer<Assignment> where_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

class EmbeddingCache {
public:
    EmbeddingCache(const CacheConfig& config, const HostTable& table);
    ~EmbeddingCache();

    // out[i] = table[keys[i]] in the order of `stream`; keys and out are device memory. Missing
    // rows come in while the stream works; the call itself does not wait for them.
    void lookup(const int* keys, int count, float* out, cudaStream_t stream);

private:
    CacheConfig config_;
    DeviceCache cache_{};
    MissBox* box_ = nullptr;
    MissBox* box_on_device_ = nullptr;
    cudaEvent_t last_ = nullptr;
    unsigned tickets_ = 0;
    std::mutex mutex_;
    std::unique_ptr<FetchService> service_;
};

}  // namespace hearth

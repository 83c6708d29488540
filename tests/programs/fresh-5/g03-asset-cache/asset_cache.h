// Texture cache of a renderer: assets are expanded on the device in the background.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace assets {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

struct CacheConfig {
    int lanes = 3;
    std::size_t texels = 128 * 1024;
    unsigned decode_ms = 80;  // nominal cost of one expansion
};

class AssetCache {
public:
    explicit AssetCache(CacheConfig cfg);
    ~AssetCache();
    AssetCache(const AssetCache&) = delete;
    AssetCache& operator=(const AssetCache&) = delete;

    // Begins expansion of an asset unless it is already known.
    void prefetch(int id);

    // Ends when every asset requested so far is resident; returns how many became ready since the last call.
    int drain();

    bool resident(int id) const;
    std::vector<float> read(int id);

private:
    struct Entry {
        AssetCache* owner = nullptr;
        int id = 0;
        float* texels = nullptr;
        bool ready = false;
    };

    static void CUDART_CB on_expanded(void* user);

    CacheConfig cfg_;
    std::vector<cudaStream_t> lanes_;
    std::size_t next_lane_ = 0;
    mutable std::mutex mutex_;
    std::map<int, std::unique_ptr<Entry>> entries_;
    int newly_ready_ = 0;
};

}  // namespace assets

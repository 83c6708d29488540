#pragma once
#include <array>
#include <mutex>
#include <unordered_map>
#include <vector>
#include "memory_resource.h"

namespace mem {

// Keeps freed blocks, in bins by powers of two, for the next request.  A
// request is served from the blocks freed in its own stream if there are any,
// else from those of the other streams, else from `upstream`.  The streams live
// longer than the resource.
class tile_resource final : public device_resource {
public:
    explicit tile_resource(device_resource& upstream) : upstream_(upstream) {}
    ~tile_resource() override;
    std::size_t fetched() const { return fetched_; }

private:
    static constexpr int kBins = 40;
    struct lane {
        cudaEvent_t freed = nullptr;
        std::array<std::vector<void*>, kBins> bins;
    };

    static int bin_of(std::size_t bytes);
    void* do_allocate(std::size_t bytes, cudaStream_t stream) override;
    void do_deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept override;

    device_resource& upstream_;
    std::mutex mutex_;
    std::unordered_map<cudaStream_t, lane> lanes_;
    std::size_t fetched_ = 0;
};

}  // namespace mem

#pragma once
#include <memory>
#include <vector>
#include "arena.h"

namespace rank {

constexpr int kBuckets = 256;

struct ModelSpec {
    int id;
    int ads;
    int floorMicros;  // lowest price of a click
    int slopeMicros;  // price step from one quality bucket to the next
};

// Device memory that all models of a worker share; they run one after the other.
struct Workspace {
    int* quality = nullptr;  // per ad
    int* prices = nullptr;   // per bucket
};

struct RecordContext {
    cudaStream_t stream;
    PinnedArena& arena;
    const Workspace& workspace;
};

// One step of a ranking plan.  record() enqueues the step into the context's stream.
class Stage {
public:
    virtual ~Stage() = default;
    virtual void record(RecordContext& ctx) = 0;
};

using StageList = std::vector<std::unique_ptr<Stage>>;

StageList makeStages(const ModelSpec& spec, int* bids);

__host__ __device__ inline int qualityOf(int model, int ad)
{
    unsigned h = static_cast<unsigned>(model) * 977u + static_cast<unsigned>(ad) * 2246822519u;
    h ^= h >> 13;
    return static_cast<int>((h * 3266489917u) >> 24);
}

}  // namespace rank

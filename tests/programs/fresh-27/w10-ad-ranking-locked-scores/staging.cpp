#include "staging.h"

namespace ads {
namespace {

HostBlock from_driver(std::size_t count, unsigned flags) {
    void* p = nullptr;
    expect(cudaHostAlloc(&p, count * sizeof(float), flags));
    return HostBlock(static_cast<float*>(p), [](float* q) { cudaFreeHost(q); });
}

}  // namespace

HostBlock make_staging(StagingKind kind, std::size_t count) {
    switch (kind) {
        case StagingKind::features:
            return from_driver(count, cudaHostAllocWriteCombined);
        case StagingKind::scores:
            return from_driver(count, cudaHostAllocDefault);
    }
    throw ServingError("unknown_staging_kind");
}

}  // namespace ads

#pragma once
#include "draft_queue.hpp"
#include "staging.hpp"

namespace spec {

constexpr int kNodes = 128;                             // tokens of the draft tree
constexpr int kDraftLen = kNodes + kNodes * kNodes;     // followed by its attention mask
constexpr int kState = 256;

__host__ __device__ inline unsigned mix(unsigned h, unsigned v) {
    h ^= v + 0x9e3779b9u + (h << 6) + (h >> 2);
    return h * 2246822519u;
}

// Target model: keeps the hidden state on the device, scores drafts in order.
class Verifier {
public:
    explicit Verifier(int max_rounds);
    ~Verifier();
    Verifier(const Verifier&) = delete;
    Verifier& operator=(const Verifier&) = delete;

    void submit(const Draft& draft);
    std::vector<unsigned> finish(int rounds);

private:
    StagingRing staging_;
    cudaStream_t stream_ = nullptr;
    unsigned* state_ = nullptr;    // [kState]
    int* draft_ = nullptr;         // [kDraftLen]
    unsigned* scores_ = nullptr;   // [max_rounds]
};

}  // namespace spec

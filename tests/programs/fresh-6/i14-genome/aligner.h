#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

struct Read {
    std::uint32_t seed;
    int length;
};

class Aligner {
public:
    static std::optional<Aligner> create(int max_reads, cudaError_t& why);
    Aligner(Aligner&& o) noexcept;
    ~Aligner();

    // Scores the reads one after another with scratch that lives for one read.
    cudaError_t align(const std::vector<Read>& reads);
    cudaError_t wait() { return cudaStreamSynchronize(stream_); }
    std::uint32_t score(std::size_t i) const { return scores_[i]; }

private:
    Aligner() = default;
    cudaStream_t stream_{};
    cudaMemPool_t pool_{};
    std::uint32_t* scores_ = nullptr;
};

std::uint32_t reference_score(const Read& r);

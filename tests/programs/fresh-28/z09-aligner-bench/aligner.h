#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define GX_TRY(stmt)                                                  \
    do {                                                              \
        if (cudaError_t gx_err = (stmt); gx_err != cudaSuccess) {     \
            std::printf("ERROR %s\n", cudaGetErrorName(gx_err));      \
            std::exit(3);                                             \
        }                                                             \
    } while (0)

namespace genome {

struct AlignerOptions {
    int lanes = 3;
    int batches = 12;
    int readsPerBatch = 4096;
    int cellsPerRead = 150 * 31;  // read length times band width
};

// Seed-and-extend aligner.  Batches enter through one stream, are extended on
// several lanes and leave through the stream that brings the scores home.
class Aligner {
public:
    explicit Aligner(const AlignerOptions& options);
    ~Aligner();
    Aligner(const Aligner&) = delete;
    Aligner& operator=(const Aligner&) = delete;

    void submit(int batch);
    void flush();
    void wait() { GX_TRY(cudaStreamSynchronize(egress_)); }

    cudaStream_t stream() const { return ingress_; }
    const AlignerOptions& options() const { return options_; }
    int wrongScores() const;

private:
    struct Lane {
        cudaStream_t stream;
        cudaEvent_t seeded;
        cudaEvent_t extended;
    };

    AlignerOptions options_;
    cudaStream_t ingress_ = nullptr;
    cudaStream_t egress_ = nullptr;
    std::vector<Lane> lanes_;
    std::uint32_t* seeds_ = nullptr;
    std::uint32_t* scores_ = nullptr;
    std::uint32_t* scoresHost_ = nullptr;
    std::size_t reads_;
};

}  // namespace genome

#ifndef SPX_INTERNAL_H
#define SPX_INTERNAL_H

#include <memory>

#include "spx.h"

#define SPX_RETURN_IF_CUDA(call)                                       \
    do {                                                               \
        if ((call) != cudaSuccess) return SPX_STATUS_EXECUTION_FAILED; \
    } while (0)

namespace spx {

/* z = M^-1 r */
class Preconditioner {
public:
    explicit Preconditioner(cudaStream_t stream) : stream_(stream) {}
    virtual ~Preconditioner() = default;
    virtual spxStatus_t setup(const spxCsr_t& a) = 0;
    virtual spxStatus_t apply(const float* r, float* z) = 0;
    void setStream(cudaStream_t stream) { stream_ = stream; }

protected:
    cudaStream_t stream_;
};

std::unique_ptr<Preconditioner> makePreconditioner(spxPrecondType_t type, cudaStream_t stream);

}  // namespace spx

struct spxContext {
    cudaStream_t stream = nullptr;
    std::unique_ptr<spx::Preconditioner> precond;
    float* residual = nullptr;
    float* correction = nullptr;
    int capacity = 0;
};

#endif

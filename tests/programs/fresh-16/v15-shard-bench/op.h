#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace lb {

inline void throw_on(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// An operator enqueues its work in launch(); finish() ends a series of launches
// on behalf of `stream`.
class op {
public:
    virtual ~op() = default;
    virtual void launch(cudaStream_t stream) = 0;
    virtual void finish(cudaStream_t stream) = 0;
    virtual long mismatches() = 0;
};

std::unique_ptr<op> make_op(const std::string& name, int rows);

}  // namespace lb

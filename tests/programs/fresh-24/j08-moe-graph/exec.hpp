#pragma once

#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>

#include "context.hpp"

namespace moe {

/// For algorithms of the library: in the context's stream, with the context's temporary storage.
inline auto policy(context& ctx) { return thrust::cuda::par(ctx.temp()).on(ctx.stream()); }

inline auto policy_nosync(context& ctx) { return thrust::cuda::par_nosync(ctx.temp()).on(ctx.stream()); }

}  // namespace moe

#pragma once

#include "device_buffer.hpp"

namespace strata {

/// out[i] = in[i] + 2 * (in[i + 1] - in[i]), cyclic. Asynchronous with respect to the host;
/// scratch memory comes from `mr`.
void sharpen(device_buffer<int> const& in, device_buffer<int>& out, cudaStream_t stream,
             memory_resource* mr);

}  // namespace strata

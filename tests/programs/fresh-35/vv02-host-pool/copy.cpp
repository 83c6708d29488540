#include "tensor.h"

namespace pico {

void copy_(DeviceTensor& dst, const HostTensor& src, Stream stream) {
  check(cudaMemcpyAsync(dst.data(), src.data(), src.size() * sizeof(float),
                        cudaMemcpyHostToDevice, stream.get()));
  HostCache::instance().record(src.data(), stream);
}

}  // namespace pico

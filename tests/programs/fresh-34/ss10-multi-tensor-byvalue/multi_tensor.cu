#include "multi_tensor.cuh"

#include <algorithm>

namespace mt {

std::size_t next_chunk(std::vector<tensor> const& list, std::size_t first, float arg, tensor_chunk& out)
{
  std::size_t const n = std::min<std::size_t>(list.size() - first, tensor_chunk::capacity);
  for (std::size_t i = 0; i < n; ++i) out.entries[i] = {list[first + i].data, list[first + i].size, arg};
  out.size = static_cast<int>(n);
  return n;
}

}  // namespace mt

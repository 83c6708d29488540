// Elements on the host: what a container of the standard library is.
#pragma once

namespace thrust {

template <class T, class Allocator = std::allocator<T>>
using host_vector = std::vector<T, Allocator>;

}  // namespace thrust

#pragma once
#include "allocator.h"

namespace rt {

// What sessions need to know about the device they run on.
class CudaProvider {
 public:
  CudaProvider();
  AllocatorPtr GetAllocator(MemType type) const;

 private:
  AllocatorPtr cpu_;
  AllocatorPtr cuda_;
  AllocatorPtr pinned_;
};

}  // namespace rt

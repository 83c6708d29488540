#include "host_box.h"

#include <cstdlib>

namespace packrat {

namespace {

void* heap_take(std::size_t bytes) {
  void* p = std::calloc(1, bytes);
  if (!p) throw std::bad_alloc();
  return p;
}

void heap_give(void* p) { std::free(p); }

void* locked_take(std::size_t bytes) {
  void* p = nullptr;
  require(cudaMallocHost(&p, bytes));
  return p;
}

void locked_give(void* p) { cudaFreeHost(p); }

}  // namespace

HostSource HostSource::heap() { return {heap_take, heap_give}; }

HostSource HostSource::locked() { return {locked_take, locked_give}; }

}  // namespace packrat

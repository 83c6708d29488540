#include "stream.h"

#include <atomic>
#include <mutex>

namespace pico {
namespace {

constexpr int kPoolSize = 8;
std::once_flag pool_once;
cudaStream_t pool[kPoolSize];
std::atomic<unsigned> next_slot{0};

void fill_pool() {
  for (auto& s : pool)
    check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

thread_local Stream tls_current;

}  // namespace

Stream stream_from_pool() {
  std::call_once(pool_once, fill_pool);
  return Stream(pool[next_slot++ % kPoolSize]);
}

Stream current_stream() { return tls_current; }

void set_current_stream(Stream s) { tls_current = s; }

}  // namespace pico

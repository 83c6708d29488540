#include "uplink.h"

#include <cstring>
#include <new>

#include "staging.h"

struct uplink_s {
  uplink::StagingPool pool;
};

namespace {

uplink_status convert(cudaError_t e) {
  switch (e) {
    case cudaSuccess: return UPLINK_OK;
    case cudaErrorMemoryAllocation: return UPLINK_ENOMEM;
    case cudaErrorInvalidValue: return UPLINK_EINVAL;
    default: return UPLINK_ECUDA;
  }
}

cudaError_t send_chunk(uplink::StagingPool& pool, char* dst, const char* src, size_t bytes, cudaStream_t stream) {
  uplink::Slot* slot = nullptr;
  cudaError_t e = pool.acquire(&slot);
  if (e != cudaSuccess) return e;
  std::memcpy(slot->data, src, bytes);
  slot->used = bytes;
  e = cudaMemcpyAsync(dst, slot->data, bytes, cudaMemcpyHostToDevice, stream);
  const cudaError_t r = pool.release_in(slot, stream);
  return e != cudaSuccess ? e : r;
}

}  // namespace

extern "C" {

void uplink_default_options(uplink_options* options) {
  options->slots = 8;
  options->slot_bytes = size_t{1} << 20;
}

uplink_status uplink_create(uplink_t* link, const uplink_options* options) {
  if (!link) return UPLINK_EINVAL;
  uplink_options o;
  uplink_default_options(&o);
  if (options) o = *options;
  if (o.slots < 1 || o.slots > 64 || o.slot_bytes == 0) return UPLINK_EINVAL;
  uplink_t l = new (std::nothrow) uplink_s;
  if (!l) return UPLINK_ENOMEM;
  const uplink_status s = convert(l->pool.init(o.slots, o.slot_bytes));
  if (s != UPLINK_OK) {
    delete l;
    return s;
  }
  *link = l;
  return UPLINK_OK;
}

uplink_status uplink_destroy(uplink_t link) {
  if (!link) return UPLINK_OK;
  const uplink_status s = convert(link->pool.drain());
  delete link;
  return s;
}

uplink_status uplink_send(uplink_t link, void* dst, const void* src, size_t bytes, cudaStream_t stream) {
  if (!link || (bytes && (!dst || !src))) return UPLINK_EINVAL;
  char* d = static_cast<char*>(dst);
  const char* s = static_cast<const char*>(src);
  while (bytes) {
    const size_t n = bytes < link->pool.slot_bytes() ? bytes : link->pool.slot_bytes();
    const cudaError_t e = send_chunk(link->pool, d, s, n, stream);
    if (e != cudaSuccess) return convert(e);
    d += n;
    s += n;
    bytes -= n;
  }
  return UPLINK_OK;
}

uplink_status uplink_flush(uplink_t link) {
  if (!link) return UPLINK_EINVAL;
  return convert(link->pool.drain());
}

uplink_status uplink_get_stats(uplink_t link, uplink_stats* stats) {
  if (!link || !stats) return UPLINK_EINVAL;
  *stats = link->pool.stats();
  return UPLINK_OK;
}

const char* uplink_strerror(uplink_status s) {
  switch (s) {
    case UPLINK_OK: return "UPLINK_OK";
    case UPLINK_EINVAL: return "UPLINK_EINVAL";
    case UPLINK_ENOMEM: return "UPLINK_ENOMEM";
    case UPLINK_ECUDA: return "UPLINK_ECUDA";
  }
  return "UPLINK_UNKNOWN";
}

}  // extern "C"

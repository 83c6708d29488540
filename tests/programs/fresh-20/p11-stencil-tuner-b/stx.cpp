#include "stx.h"

#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <tuple>
#include <vector>

#include "variants.h"

struct stx_handle_s {
  stx_options opt;
  cudaStream_t stream;
};

namespace {

#define STX_CUDA(expr)                                        \
  do {                                                        \
    if ((expr) != cudaSuccess) return STX_CUDA_FAILURE;       \
  } while (0)

using Clock = std::chrono::steady_clock;
using Key = std::tuple<int, int, int, int>;

struct Record {
  std::vector<float> ms;
  int best = 0;
};

std::mutex g_mu;
std::map<Key, Record> g_records;

Key key_of(const stx_options& o) { return Key(o.nx, o.ny, o.nz, o.smooth_steps); }

bool lookup(const stx_options& o, Record* r) {
  std::lock_guard<std::mutex> lock(g_mu);
  auto it = g_records.find(key_of(o));
  if (it == g_records.end()) return false;
  *r = it->second;
  return true;
}

void store(const stx_options& o, const Record& r) {
  std::lock_guard<std::mutex> lock(g_mu);
  g_records[key_of(o)] = r;
}

stx_status sweeps(const stx::Variant& v, const stx::SweepArgs& args, int count, cudaStream_t stream) {
  for (int i = 0; i < count; ++i) STX_CUDA(v.launch(args, stream));
  return STX_OK;
}

stx_status measure(const stx_handle_s& h, const stx::Variant& v, const stx::SweepArgs& args, float* ms) {
  stx_status s = sweeps(v, args, h.opt.tune_warmups, h.stream);
  if (s != STX_OK) return s;
  STX_CUDA(cudaStreamSynchronize(h.stream));

  const Clock::time_point begin = Clock::now();
  s = sweeps(v, args, h.opt.tune_sweeps, h.stream);
  if (s != STX_OK) return s;
  STX_CUDA(cudaStreamSynchronize(h.stream));
  const std::chrono::duration<float, std::milli> took = Clock::now() - begin;

  *ms = took.count() / h.opt.tune_sweeps;
  return STX_OK;
}

stx::SweepArgs args_of(const stx_options& o, const float* in, float* out) {
  return stx::SweepArgs{in, out, o.nx, o.ny, o.nz, o.smooth_steps};
}

}  // namespace

extern "C" {

void stx_options_init(stx_options* options) {
  *options = stx_options{64, 64, 64, 1, 2, 20};
}

stx_status stx_create(stx_handle* handle, const stx_options* options) {
  if (!handle || !options) return STX_BAD_PARAM;
  const stx_options& o = *options;
  if (o.nx < 1 || o.ny < 1 || o.nz < 1 || o.nz > 65535 || o.smooth_steps < 1) return STX_BAD_PARAM;
  if (o.tune_warmups < 0 || o.tune_sweeps < 1) return STX_BAD_PARAM;
  stx_handle h = new (std::nothrow) stx_handle_s{o, nullptr};
  if (!h) return STX_NO_MEMORY;
  *handle = h;
  return STX_OK;
}

stx_status stx_destroy(stx_handle handle) {
  delete handle;
  return STX_OK;
}

stx_status stx_set_stream(stx_handle handle, cudaStream_t stream) {
  if (!handle) return STX_BAD_PARAM;
  handle->stream = stream;
  return STX_OK;
}

int stx_variant_count(void) { return stx::variant_count(); }

const char* stx_variant_name(int variant) {
  if (variant < 0 || variant >= stx::variant_count()) return "";
  return stx::variant(variant).name;
}

stx_status stx_tune(stx_handle handle, const float* in, float* out, int* best) {
  if (!handle || !in || !out || !best) return STX_BAD_PARAM;
  Record r;
  if (!lookup(handle->opt, &r)) {
    r.ms.resize(stx::variant_count());
    const stx::SweepArgs args = args_of(handle->opt, in, out);
    for (int i = 0; i < stx::variant_count(); ++i) {
      const stx_status s = measure(*handle, stx::variant(i), args, &r.ms[i]);
      if (s != STX_OK) return s;
      if (r.ms[i] < r.ms[r.best]) r.best = i;
    }
    store(handle->opt, r);
  }
  *best = r.best;
  return STX_OK;
}

stx_status stx_get_time(stx_handle handle, int variant, float* milliseconds) {
  if (!handle || !milliseconds || variant < 0 || variant >= stx::variant_count()) return STX_BAD_PARAM;
  Record r;
  if (!lookup(handle->opt, &r)) return STX_NOT_TUNED;
  *milliseconds = r.ms[variant];
  return STX_OK;
}

stx_status stx_forget(stx_handle handle) {
  if (!handle) return STX_BAD_PARAM;
  std::lock_guard<std::mutex> lock(g_mu);
  g_records.erase(key_of(handle->opt));
  return STX_OK;
}

stx_status stx_sweep(stx_handle handle, const float* in, float* out) {
  if (!handle || !in || !out) return STX_BAD_PARAM;
  Record r;
  const int variant = lookup(handle->opt, &r) ? r.best : 0;
  STX_CUDA(stx::variant(variant).launch(args_of(handle->opt, in, out), handle->stream));
  return STX_OK;
}

const char* stx_status_name(stx_status status) {
  static const char* const names[] = {"STX_OK", "STX_BAD_PARAM", "STX_NOT_TUNED", "STX_NO_MEMORY", "STX_CUDA_FAILURE"};
  return names[status];
}

}  // extern "C"

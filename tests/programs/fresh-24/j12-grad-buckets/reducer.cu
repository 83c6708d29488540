#include "reducer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace gradsync {
namespace {

__global__ void scaled_copy(float const* from, float factor, float* to, std::size_t n)
{
  std::size_t const step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) to[i] = factor * from[i];
}

void copy_in_current(float const* from, float factor, float* to, std::size_t n)
{
  auto const blocks = static_cast<unsigned>(std::min<std::size_t>((n + 255) / 256, 256));
  scaled_copy<<<blocks, 256, 0, current_stream()>>>(from, factor, to, n);
  ensure(cudaGetLastError());
}

using field = float* parameter::*;

/// Moves one field of a list of parameters into or out of a flat array.
class flattener {
 public:
  flattener(std::vector<parameter> const& all, std::vector<std::size_t> const& members, field what)
    : all_(all), members_(members), what_(what)
  {
  }

  void pack(float* flat) const
  {
    each([&](parameter const& p, std::size_t at) { copy_in_current(p.*what_, 1.f, flat + at, p.n); });
  }
  void unpack(float const* flat, float factor) const
  {
    each([&](parameter const& p, std::size_t at) { copy_in_current(flat + at, factor, p.*what_, p.n); });
  }

 private:
  template <typename F>
  void each(F&& f) const
  {
    std::size_t at = 0;
    for (std::size_t m : members_) {
      f(all_[m], at);
      at += all_[m].n;
    }
  }
  std::vector<parameter> const& all_;
  std::vector<std::size_t> const& members_;
  field what_;
};

}  // namespace

reducer::reducer(std::vector<parameter> params, reducer_options options)
  : params_(std::move(params)), options_(std::move(options)), bucket_of_(params_.size())
{
  if (!options_.all_reduce) throw std::invalid_argument("reducer: no all_reduce");
  int least = 0, greatest = 0;
  ensure(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  ensure(cudaStreamCreateWithPriority(&comm_, cudaStreamNonBlocking, greatest));
  for (std::size_t i = params_.size(); i-- > 0;) {
    if (buckets_.empty() || buckets_.back().elems + params_[i].n > options_.bucket_elems) buckets_.emplace_back();
    bucket& b = buckets_.back();
    b.members.push_back(i);
    b.elems += params_[i].n;
    b.missing    = b.members.size();
    bucket_of_[i] = buckets_.size() - 1;
  }
}

reducer::~reducer()
{
  cudaStreamSynchronize(comm_);
  cudaStreamDestroy(comm_);
}

void reducer::sync_values()
{
  if (!options_.broadcast) return;
  for (bucket const& b : buckets_) {
    flattener const values(params_, b.members, &parameter::value);
    scratch<float> flat(b.elems);
    values.pack(flat.data());
    packed_.record();
    flat.move_to(comm_);
    stream_guard const on(comm_);
    packed_.block();
    options_.broadcast(flat.data(), flat.size(), comm_);
    values.unpack(flat.data(), 1.f);
    settled_.record();
  }
  settled_.block();
}

void reducer::mark_ready(std::size_t index)
{
  bucket& b = buckets_.at(bucket_of_.at(index));
  if (b.missing == 0) throw std::logic_error("reducer: gradient marked twice");
  if (--b.missing == 0) send(b);
}

void reducer::send(bucket const& b)
{
  flattener const grads(params_, b.members, &parameter::grad);
  scratch<float> flat(b.elems);
  grads.pack(flat.data());
  packed_.record();
  flat.move_to(comm_);

  stream_guard const on(comm_);
  packed_.block();
  options_.all_reduce(flat.data(), flat.size(), comm_);
  grads.unpack(flat.data(), 1.f / static_cast<float>(options_.world));
  settled_.record();
}

void reducer::finalize()
{
  for (bucket& b : buckets_) {
    if (b.missing != 0) throw std::logic_error("reducer: a gradient is missing");
    b.missing = b.members.size();
  }
  settled_.block();
}

}  // namespace gradsync

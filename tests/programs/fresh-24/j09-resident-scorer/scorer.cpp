#include "scorer.hpp"

#include <algorithm>

namespace rescore {

scorer::scorer(std::vector<float> const& weights, scorer_config const& config)
  : config_(config), weights_(weights.size())
{
  verify(cudaMemcpy(weights_.data(), weights.data(), weights.size() * sizeof(float), cudaMemcpyHostToDevice));
  make_room(config_.initial_rows);
  loop_.enter();
}

void scorer::make_room(int rows)
{
  if (rows <= capacity()) return;
  int const wanted = std::max(rows, static_cast<int>(capacity() * config_.growth));
  in_  = device_array<float>(static_cast<std::size_t>(wanted) * width());
  out_ = device_array<float>(wanted);
}

void scorer::score(float const* host_rows, int rows, float* host_out, cudaStream_t io)
{
  if (rows <= 0) return;
  make_room(rows);
  std::size_t const bytes = static_cast<std::size_t>(rows) * width() * sizeof(float);
  verify(cudaMemcpyAsync(in_.data(), host_rows, bytes, cudaMemcpyHostToDevice, io));
  verify(cudaStreamSynchronize(io));
  loop_.call({detail::op::dot_rows, rows, width(), in_.data(), weights_.data(), out_.data()});
  verify(cudaMemcpyAsync(host_out, out_.data(), rows * sizeof(float), cudaMemcpyDeviceToHost, io));
  verify(cudaStreamSynchronize(io));
}

void scorer::set_weights(std::vector<float> const& weights, cudaStream_t io)
{
  if (static_cast<int>(weights.size()) != width()) throw std::invalid_argument("scorer: width differs");
  verify(cudaMemcpyAsync(
    weights_.data(), weights.data(), weights.size() * sizeof(float), cudaMemcpyHostToDevice, io));
  verify(cudaStreamSynchronize(io));
}

}  // namespace rescore

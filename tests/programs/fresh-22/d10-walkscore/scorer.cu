#include "scorer.hpp"

#include <algorithm>

namespace walkscore {
namespace {

__device__ inline std::uint32_t next_random(std::uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

/// Share of the steps of a walk at vertices of more than average degree.
__global__ void walk(GraphView graph,
                     const std::uint32_t* seeds,
                     std::uint32_t count,
                     std::uint32_t length,
                     std::uint32_t salt,
                     float* scores) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t average = graph.offsets[graph.vertices] / graph.vertices;
  std::uint32_t at = seeds[i];
  std::uint32_t state = (at + 1) * 2654435761u ^ salt;
  std::uint32_t hubs = 0;
  for (std::uint32_t s = 0; s < length; ++s) {
    const std::uint32_t first = graph.offsets[at];
    const std::uint32_t degree = graph.offsets[at + 1] - first;
    hubs += degree > average;
    const std::uint32_t r = next_random(state);
    at = degree ? graph.neighbours[first + r % degree] : r % graph.vertices;
  }
  scores[i] = static_cast<float>(hubs) / length;
}

}  // namespace

Lane::Lane(std::size_t max_seeds) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "Lane");
  check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "Lane");
  seeds_.resize(max_seeds);
  scores_.resize(max_seeds);
  d_seeds_.reserve(max_seeds);
  d_scores_.reserve(max_seeds);
}

Lane::~Lane() {
  if (stream_) cudaStreamSynchronize(stream_);
  if (done_) cudaEventDestroy(done_);
  if (stream_) cudaStreamDestroy(stream_);
}

void Lane::submit(const GraphView& graph,
                  std::size_t index,
                  const Partition& p,
                  const WalkOptions& o) {
  d_seeds_.reserve(p.count);
  d_scores_.reserve(p.count);
  seeds_.resize(p.count);
  scores_.resize(p.count);
  std::copy(p.seeds, p.seeds + p.count, seeds_.begin());
  index_ = index;
  busy_ = true;
  if (p.count > 0) {
    const std::uint32_t count = static_cast<std::uint32_t>(p.count);
    check(cudaMemcpyAsync(d_seeds_.data(), seeds_.data(), seeds_.bytes(), cudaMemcpyHostToDevice,
                          stream_),
          "seeds");
    walk<<<(count + 127) / 128, 128, 0, stream_>>>(graph, d_seeds_.data(), count, o.length, o.salt,
                                                   d_scores_.data());
    check(cudaGetLastError(), "walk");
    check(cudaMemcpyAsync(scores_.data(), d_scores_.data(), scores_.bytes(),
                          cudaMemcpyDeviceToHost, stream_),
          "scores");
  }
  check(cudaEventRecord(done_, stream_), "done");
}

void Lane::finish(const Sink& sink) {
  if (!busy_) return;
  check(cudaEventSynchronize(done_), "finish");
  busy_ = false;
  if (sink) sink(index_, scores_.data(), scores_.size());
}

Scorer::Scorer(GraphView graph, std::size_t max_seeds, int lanes) : graph_(graph) {
  if (lanes < 1) throw std::invalid_argument("walkscore: no lanes");
  for (int i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<Lane>(max_seeds));
}

void Scorer::run(const std::vector<Partition>& partitions,
                 const WalkOptions& options,
                 const Sink& sink) {
  const std::size_t n = lanes_.size();
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    Lane& lane = *lanes_[i % n];
    lane.finish(sink);
    lane.submit(graph_, i, partitions[i], options);
  }
  const std::size_t first = partitions.size() > n ? partitions.size() - n : 0;
  for (std::size_t i = first; i < partitions.size(); ++i) lanes_[i % n]->finish(sink);
}

}  // namespace walkscore

#include "chorus.hpp"

#include <algorithm>

namespace chorus {

namespace {

struct Peers {
  const float* data[kMaxRanks];
};

__global__ void reduce_segment(Peers peers, int ranks, float* out, std::size_t begin, std::size_t size) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += stride) {
    float sum = 0.0f;
    for (int r = 0; r < ranks; ++r) sum += peers.data[r][begin + i];
    out[begin + i] = sum;
  }
}

__global__ void sum_squares(const float* in, std::size_t count, double* out) {
  __shared__ double part[256];
  double sum = 0.0;
  for (std::size_t i = threadIdx.x; i < count; i += 256) sum += double(in[i]) * in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int w = 128; w > 0; w /= 2) {
    if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}

int grid_for(std::size_t n) {
  return static_cast<int>(std::clamp<std::size_t>((n + 255) / 256, 1, 512));
}

}  // namespace

Communicator::Communicator(int ranks) : ranks_(ranks), arrived_(ranks), reduced_(ranks), departed_(ranks) {
  if (ranks < 1 || ranks > kMaxRanks) throw Exception(cudaErrorInvalidValue);
}

void Communicator::require(const Members& members) const {
  if (static_cast<int>(members.size()) != ranks_) throw Exception(cudaErrorInvalidValue);
}

Communicator::Segment Communicator::segment(int rank, std::size_t count) const {
  const std::size_t each = (count + ranks_ - 1) / ranks_;
  const std::size_t begin = std::min(count, each * rank);
  return {begin, std::min(each, count - begin)};
}

void Communicator::all_reduce(const Members& members, std::size_t count) {
  require(members);
  Peers peers{};
  for (int r = 0; r < ranks_; ++r) peers.data[r] = members[r].data;

  arrived_.meet(members);
  for (int r = 0; r < ranks_; ++r) {
    const Segment mine = segment(r, count);
    reduce_segment<<<grid_for(mine.size), 256, 0, members[r].stream>>>(peers, ranks_, members[r].data,
                                                                       mine.begin, mine.size);
    CHORUS_TRY(cudaGetLastError());
    reduced_.mark(r, members[r].stream);
  }
  for (int r = 0; r < ranks_; ++r) {
    for (int step = 1; step < ranks_; ++step) {
      const int from = (r + step) % ranks_;
      const Segment theirs = segment(from, count);
      reduced_.follow(r, members[r].stream, from);
      if (theirs.size == 0) continue;
      CHORUS_TRY(cudaMemcpyAsync(members[r].data + theirs.begin, members[from].data + theirs.begin,
                                 theirs.size * sizeof(float), cudaMemcpyDeviceToDevice, members[r].stream));
    }
  }
  departed_.meet(members);
}

void Communicator::broadcast(const Members& members, int root, std::size_t count) {
  require(members);
  const Member& source = members.at(root);
  arrived_.mark(root, source.stream);
  for (int r = 0; r < ranks_; ++r) {
    if (r == root) continue;
    arrived_.follow(r, members[r].stream, root);
    CHORUS_TRY(cudaMemcpyAsync(members[r].data, source.data, count * sizeof(float), cudaMemcpyDeviceToDevice,
                               members[r].stream));
    departed_.mark(r, members[r].stream);
    departed_.follow(root, source.stream, r);
  }
}

void Communicator::norms(const Members& members, std::size_t count, double* norms) {
  require(members);
  const cudaStream_t lead = members[0].stream;
  double* partial = nullptr;
  CHORUS_TRY(cudaMallocAsync(reinterpret_cast<void**>(&partial), ranks_ * sizeof(double), lead));
  arrived_.mark(0, lead);
  for (int r = 0; r < ranks_; ++r) {
    arrived_.follow(r, members[r].stream, 0);
    sum_squares<<<1, 256, 0, members[r].stream>>>(members[r].data, count, partial + r);
    CHORUS_TRY(cudaGetLastError());
    departed_.mark(r, members[r].stream);
    departed_.follow(0, lead, r);
  }
  CHORUS_TRY(cudaMemcpyAsync(norms, partial, ranks_ * sizeof(double), cudaMemcpyDeviceToDevice, lead));
  CHORUS_TRY(cudaFreeAsync(partial, lead));
}

}  // namespace chorus

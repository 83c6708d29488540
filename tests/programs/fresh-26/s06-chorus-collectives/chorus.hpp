#pragma once
// chorus: collectives between the ranks of one device. Each rank has a buffer and a stream; a call
// takes its place in all of the streams and returns to the host at once.
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace chorus {

constexpr int kMaxRanks = 8;

class Exception : public std::runtime_error {
 public:
  explicit Exception(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

#define CHORUS_TRY(expr)                                          \
  do {                                                            \
    const cudaError_t chorus_code = (expr);                       \
    if (chorus_code != cudaSuccess) throw ::chorus::Exception(chorus_code); \
  } while (0)

struct Member {
  float* data;
  cudaStream_t stream;
};

using Members = std::vector<Member>;

// One event per rank for a step of a collective.
class Phase {
 public:
  explicit Phase(int ranks);
  ~Phase();
  Phase(Phase&& other) noexcept : events_(std::move(other.events_)) {}
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  void mark(int rank, cudaStream_t stream);
  void follow(int rank, cudaStream_t stream, int other);
  void follow_all(int rank, cudaStream_t stream);
  // All ranks mark, then each follows all others.
  void meet(const Members& members);

 private:
  std::vector<cudaEvent_t> events_;
};

class Communicator {
 public:
  explicit Communicator(int ranks);

  int ranks() const { return ranks_; }

  // In place: every data[i] becomes the sum over the ranks. Results are ready, and buffers may be
  // written again, in the order of each rank's own stream.
  void all_reduce(const Members& members, std::size_t count);

  // In place: root's data to all.
  void broadcast(const Members& members, int root, std::size_t count);

  // norms[r] = sum of squares of rank r, in the stream of rank 0. `norms` is device memory.
  void norms(const Members& members, std::size_t count, double* norms);

 private:
  struct Segment {
    std::size_t begin;
    std::size_t size;
  };
  Segment segment(int rank, std::size_t count) const;
  void require(const Members& members) const;

  int ranks_;
  Phase arrived_;
  Phase reduced_;
  Phase departed_;
};

}  // namespace chorus

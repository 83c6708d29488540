#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace collectives {

constexpr int kMaxRanks = 8;

template <typename T>
struct PeerTable {
  const T* ptr[kMaxRanks];
};

struct SumOp {
  template <typename T>
  __device__ static T apply(T a, T b) { return a + b; }
};
struct MaxOp {
  template <typename T>
  __device__ static T apply(T a, T b) { return a < b ? b : a; }
};

namespace {

void Check(cudaError_t e, const char* what) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}

class DeviceGuard {
 public:
  explicit DeviceGuard(int device) {
    Check(cudaGetDevice(&previous_), "cudaGetDevice");
    if (device != previous_) Check(cudaSetDevice(device), "cudaSetDevice");
  }
  ~DeviceGuard() { cudaSetDevice(previous_); }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int previous_ = 0;
};

template <typename T, typename Op>
__global__ void ReducePeersKernel(PeerTable<T> in, T* __restrict__ out, std::size_t n, int ranks) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < n; i += stride) {
    T acc = in.ptr[0][i];
    for (int r = 1; r < ranks; ++r) acc = Op::apply(acc, in.ptr[r][i]);
    out[i] = acc;
  }
}

}  // namespace

// One process driving several devices with direct peer access.
class Communicator {
 public:
  explicit Communicator(const std::vector<int>& devices) {
    if (devices.empty() || devices.size() > kMaxRanks) throw std::invalid_argument("rank count");
    for (int d : devices) {
      DeviceGuard guard(d);
      Rank rank;
      rank.device = d;
      Check(cudaEventCreateWithFlags(&rank.ready, cudaEventDisableTiming), "event");
      Check(cudaEventCreateWithFlags(&rank.done, cudaEventDisableTiming), "event");
      ranks_.push_back(rank);
      for (int peer : devices) {
        if (peer == d) continue;
        const cudaError_t e = cudaDeviceEnablePeerAccess(peer, 0);
        if (e == cudaErrorPeerAccessAlreadyEnabled) {
          cudaGetLastError();
        } else {
          Check(e, "cudaDeviceEnablePeerAccess");
        }
      }
    }
  }

  ~Communicator() {
    for (auto& r : ranks_) {
      cudaEventDestroy(r.ready);
      cudaEventDestroy(r.done);
    }
  }

  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int size() const { return static_cast<int>(ranks_.size()); }

  // out[r] = reduction over all p of in[p], in streams[r] of rank r. Inputs may be
  // overwritten, and outputs read, by later work in the same streams.
  template <typename T, typename Op = SumOp>
  void AllReduce(const std::vector<const T*>& in, const std::vector<T*>& out, std::size_t n,
                 const std::vector<cudaStream_t>& streams) {
    if (n == 0) return;
    PeerTable<T> table{};
    for (int r = 0; r < size(); ++r) table.ptr[r] = in[r];

    for (int r = 0; r < size(); ++r) Signal(r, ranks_[r].ready, streams[r]);
    for (int r = 0; r < size(); ++r) {
      DeviceGuard guard(ranks_[r].device);
      for (int p = 0; p < size(); ++p) {
        if (p == r) continue;
        Check(cudaStreamWaitEvent(streams[r], ranks_[r].ready, 0), "wait ready");
      }
      ReducePeersKernel<T, Op><<<Blocks(n), 256, 0, streams[r]>>>(table, out[r], n, size());
      Check(cudaGetLastError(), "reduce kernel");
    }

    for (int r = 0; r < size(); ++r) Signal(r, ranks_[r].done, streams[r]);
    for (int r = 0; r < size(); ++r) {
      DeviceGuard guard(ranks_[r].device);
      for (int p = 0; p < size(); ++p) {
        if (p != r) Check(cudaStreamWaitEvent(streams[r], ranks_[p].done, 0), "wait done");
      }
    }
  }

 private:
  struct Rank {
    int device = 0;
    cudaEvent_t ready = nullptr;
    cudaEvent_t done = nullptr;
  };

  static unsigned Blocks(std::size_t n) {
    const std::size_t b = (n + 255) / 256;
    return static_cast<unsigned>(b < 1024 ? b : 1024);
  }

  void Signal(int r, cudaEvent_t event, cudaStream_t stream) {
    DeviceGuard guard(ranks_[r].device);
    Check(cudaEventRecord(event, stream), "cudaEventRecord");
  }

  std::vector<Rank> ranks_;
};

template void Communicator::AllReduce<float, SumOp>(const std::vector<const float*>&, const std::vector<float*>&,
                                                    std::size_t, const std::vector<cudaStream_t>&);
template void Communicator::AllReduce<int, MaxOp>(const std::vector<const int*>&, const std::vector<int*>&,
                                                  std::size_t, const std::vector<cudaStream_t>&);

}  // namespace collectives

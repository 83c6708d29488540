#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>

namespace halo {

#define HALO_SAFE_CALL(call)                                                                  \
  {                                                                                           \
    const cudaError_t halo_err = (call);                                                      \
    if (halo_err != cudaSuccess) {                                                            \
      std::fprintf(stderr, "CUDA error %d (%s) at %s:%d\n", static_cast<int>(halo_err),      \
                   cudaGetErrorString(halo_err), __FILE__, __LINE__);                         \
      std::abort();                                                                           \
    }                                                                                         \
  }

// A box of cells with `ghost` ghost layers at both ends of x.
struct Box {
  int nx, ny, nz;
  int ghost;
  __host__ __device__ int pitch() const { return nx + 2 * ghost; }
  __host__ __device__ int faceCells() const { return ghost * ny * nz; }
};

enum Face { Lo = 0, Hi = 1 };

// Enqueues in `stream` the exchange of `count` values: send both, receive both.
using Transport = std::function<void(const double* sendLo, const double* sendHi, double* recvLo, double* recvHi,
                                     std::size_t count, cudaStream_t stream)>;

__device__ inline void unflatten(const Box& b, int i, int& gx, int& y, int& z) {
  gx = i % b.ghost;
  y = (i / b.ghost) % b.ny;
  z = i / (b.ghost * b.ny);
}

__global__ void packKernel(Box b, const double* field, double* buf, int firstX) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= b.faceCells()) return;
  int gx, y, z;
  unflatten(b, i, gx, y, z);
  buf[i] = field[(static_cast<long>(z) * b.ny + y) * b.pitch() + firstX + gx];
}

__global__ void unpackKernel(Box b, double* field, const double* buf, int firstX) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= b.faceCells()) return;
  int gx, y, z;
  unflatten(b, i, gx, y, z);
  field[(static_cast<long>(z) * b.ny + y) * b.pitch() + firstX + gx] = buf[i];
}

// Split-phase exchange: work on interior cells may go between begin() and finish(). Both
// take the compute stream; the transport runs in the exchanger's own stream.
class HaloExchanger {
 public:
  HaloExchanger(const Box& box, Transport transport) : box_(box), transport_(std::move(transport)) {
    const std::size_t bytes = sizeof(double) * box_.faceCells();
    for (int f = 0; f < 2; ++f) {
      HALO_SAFE_CALL(cudaMalloc(reinterpret_cast<void**>(&send_[f]), bytes));
      HALO_SAFE_CALL(cudaMalloc(reinterpret_cast<void**>(&recv_[f]), bytes));
    }
    HALO_SAFE_CALL(cudaStreamCreateWithFlags(&comm_, cudaStreamNonBlocking));
    HALO_SAFE_CALL(cudaEventCreateWithFlags(&packed_, cudaEventDisableTiming));
    HALO_SAFE_CALL(cudaEventCreateWithFlags(&arrived_, cudaEventDisableTiming));
    HALO_SAFE_CALL(cudaEventCreateWithFlags(&unpacked_, cudaEventDisableTiming));
  }

  ~HaloExchanger() {
    cudaStreamSynchronize(comm_);
    cudaEventSynchronize(unpacked_);
    for (int f = 0; f < 2; ++f) {
      cudaFree(send_[f]);
      cudaFree(recv_[f]);
    }
    cudaEventDestroy(packed_);
    cudaEventDestroy(arrived_);
    cudaEventDestroy(unpacked_);
    cudaStreamDestroy(comm_);
  }

  HaloExchanger(const HaloExchanger&) = delete;
  HaloExchanger& operator=(const HaloExchanger&) = delete;

  void begin(const double* field, cudaStream_t compute) {
    // The buffers are free again once the previous exchange is unpacked.
    HALO_SAFE_CALL(cudaStreamWaitEvent(compute, unpacked_, 0));
    pack(Lo, field, compute);
    pack(Hi, field, compute);
    HALO_SAFE_CALL(cudaEventRecord(packed_, compute));
    HALO_SAFE_CALL(cudaStreamWaitEvent(comm_, packed_, 0));
    transport_(send_[Lo], send_[Hi], recv_[Lo], recv_[Hi], static_cast<std::size_t>(box_.faceCells()), comm_);
    HALO_SAFE_CALL(cudaEventRecord(arrived_, comm_));
  }

  void finish(double* field, cudaStream_t compute) {
    HALO_SAFE_CALL(cudaStreamWaitEvent(compute, arrived_, 0));
    unpack(Lo, field, compute);
    unpack(Hi, field, compute);
    HALO_SAFE_CALL(cudaEventRecord(unpacked_, compute));
  }

 private:
  int blocks() const { return (box_.faceCells() + 127) / 128; }

  void pack(Face f, const double* field, cudaStream_t stream) {
    const int firstX = f == Lo ? box_.ghost : box_.nx;
    packKernel<<<blocks(), 128, 0, stream>>>(box_, field, send_[f], firstX);
    HALO_SAFE_CALL(cudaGetLastError());
  }

  void unpack(Face f, double* field, cudaStream_t stream) {
    const int firstX = f == Lo ? 0 : box_.nx + box_.ghost;
    unpackKernel<<<blocks(), 128, 0, stream>>>(box_, field, recv_[f], firstX);
    HALO_SAFE_CALL(cudaGetLastError());
  }

  Box box_;
  Transport transport_;
  double* send_[2] = {};
  double* recv_[2] = {};
  cudaStream_t comm_ = nullptr;
  cudaEvent_t packed_ = nullptr;
  cudaEvent_t arrived_ = nullptr;
  cudaEvent_t unpacked_ = nullptr;
};

}  // namespace halo

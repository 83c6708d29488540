// tile_ring.cu - streams host tiles through a small ring of device slots.
//
// push() uploads one pinned host tile on a private copy stream and folds it into
// the caller's device accumulator on the caller's stream. The upload of the next
// tile overlaps the folding of the current one.
//
//  * src must be pinned and stay unchanged until the stream passed has been waited for
//  * different pushes may use different streams (the accumulator is the caller's to order)
//  * one host thread at a time; not for use in stream capture
#include <cuda_runtime.h>

#include <array>
#include <stdexcept>

#define RING_CHECK(expr)                                                  \
  do {                                                                    \
    cudaError_t err__ = (expr);                                           \
    if (err__ != cudaSuccess) throw std::runtime_error(cudaGetErrorString(err__)); \
  } while (0)

namespace ring {

template <typename T>
__global__ void weighted_add(const T* __restrict__ tile, T* __restrict__ acc, T w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) acc[i] += w * tile[i];
}

template <typename T, int Slots = 2>
class TileRing {
  static_assert(Slots >= 2, "need at least two slots to overlap");

 public:
  explicit TileRing(int tile_elems) : elems_(tile_elems) {
    if (tile_elems <= 0) throw std::invalid_argument("tile_elems");
    RING_CHECK(cudaStreamCreateWithFlags(&copier_, cudaStreamNonBlocking));
    for (Slot& s : slots_) {
      RING_CHECK(cudaMalloc(&s.data, sizeof(T) * elems_));
      RING_CHECK(cudaEventCreateWithFlags(&s.uploaded, cudaEventDisableTiming));
      RING_CHECK(cudaEventCreateWithFlags(&s.consumed, cudaEventDisableTiming));
    }
  }

  TileRing(const TileRing&) = delete;
  TileRing& operator=(const TileRing&) = delete;

  ~TileRing() {
    cudaStreamSynchronize(copier_);
    for (Slot& s : slots_) {
      if (s.consumed) {
        cudaEventSynchronize(s.consumed);
        cudaEventDestroy(s.consumed);
      }
      if (s.uploaded) cudaEventDestroy(s.uploaded);
      cudaFree(s.data);
    }
    cudaStreamDestroy(copier_);
  }

  int tile_elems() const { return elems_; }

  // acc[0..count) += w * src[0..count)
  void push(const T* src, int count, T* acc, T w, cudaStream_t stream) {
    if (count < 0 || count > elems_) throw std::out_of_range("count");
    if (count == 0) return;
    Slot& s = slots_[turn_];
    turn_ = (turn_ + 1) % Slots;

    // The slot is ours again once its previous tenant is through with it.
    RING_CHECK(cudaStreamWaitEvent(copier_, s.consumed, 0));
    RING_CHECK(cudaMemcpyAsync(s.data, src, sizeof(T) * count, cudaMemcpyHostToDevice,
                               copier_));
    RING_CHECK(cudaEventRecord(s.uploaded, copier_));

    RING_CHECK(cudaStreamWaitEvent(stream, s.uploaded, 0));
    constexpr int tpb = 256;
    weighted_add<T><<<(count + tpb - 1) / tpb, tpb, 0, stream>>>(s.data, acc, w, count);
    RING_CHECK(cudaGetLastError());
    RING_CHECK(cudaEventRecord(s.consumed, stream));
  }

 private:
  struct Slot {
    T* data = nullptr;
    cudaEvent_t uploaded = nullptr;
    cudaEvent_t consumed = nullptr;
  };

  int elems_;
  int turn_ = 0;
  cudaStream_t copier_ = nullptr;
  std::array<Slot, Slots> slots_{};
};

template class TileRing<float, 2>;
template class TileRing<double, 3>;

}  // namespace ring

#include "buffer_manager.hpp"

#include <mutex>
#include <unordered_map>
#include <vector>

namespace quarry {

namespace {

constexpr ChunkId kNoChunk = ~ChunkId{0};

struct Frame {
  void* memory = nullptr;
  cudaEvent_t loaded = nullptr;
  cudaStream_t last_user = nullptr;
  ChunkId chunk = kNoChunk;
  int pins = 0;
  std::uint64_t touched = 0;
};

}  // namespace

struct BufferManager::Impl {
  struct UnpinRequest {
    Impl* self;
    std::size_t frame;
  };

  const ChunkSource& source;
  const std::size_t frame_bytes;
  mutable std::mutex mutex;
  std::vector<Frame> frames;
  std::unordered_map<ChunkId, std::size_t> resident;
  BufferStats stats;
  std::uint64_t clock = 0;

  Impl(const ChunkSource& s, std::size_t bytes, std::size_t n) : source(s), frame_bytes(bytes), frames(n) {
    for (Frame& f : frames) {
      ThrowIfCuda(cudaMalloc(&f.memory, frame_bytes), "BufferManager");
      ThrowIfCuda(cudaEventCreateWithFlags(&f.loaded, cudaEventDisableTiming), "BufferManager");
    }
  }

  ~Impl() {
    (void)cudaDeviceSynchronize();  // pending unpins refer to us
    for (Frame& f : frames) {
      (void)cudaEventDestroy(f.loaded);
      (void)cudaFree(f.memory);
    }
  }

  /// Least recently used frame nobody has pinned, or frames.size().
  std::size_t Victim() const {
    std::size_t best = frames.size();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (frames[i].pins > 0) continue;
      if (best == frames.size() || frames[i].touched < frames[best].touched) best = i;
    }
    return best;
  }

  std::size_t OldestPinned() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) {
      if (frames[i].touched < frames[best].touched) best = i;
    }
    return best;
  }

  std::size_t AcquireFrame(std::unique_lock<std::mutex>& lock) {
    for (;;) {
      const std::size_t v = Victim();
      if (v != frames.size()) {
        if (frames[v].chunk != kNoChunk) {
          resident.erase(frames[v].chunk);
          frames[v].chunk = kNoChunk;
          ++stats.evictions;
        }
        return v;
      }
      ++stats.stalls;
      const cudaStream_t busy = frames[OldestPinned()].last_user;
      ThrowIfCuda(cudaStreamSynchronize(busy), "BufferManager::AcquireFrame");
    }
  }

  static void CUDART_CB OnStreamReached(void* arg) {
    std::unique_ptr<UnpinRequest> request(static_cast<UnpinRequest*>(arg));
    std::lock_guard<std::mutex> lock(request->self->mutex);
    --request->self->frames[request->frame].pins;
  }
};

BufferManager::BufferManager(const ChunkSource& source, std::size_t frame_bytes, std::size_t num_frames)
    : impl_(std::make_unique<Impl>(source, frame_bytes, num_frames)) {}

BufferManager::~BufferManager() = default;

const void* BufferManager::Pin(ChunkId id, cudaStream_t stream) {
  std::unique_lock<std::mutex> lock(impl_->mutex);
  auto it = impl_->resident.find(id);
  if (it != impl_->resident.end()) {
    Frame& f = impl_->frames[it->second];
    ++f.pins;
    f.touched = ++impl_->clock;
    f.last_user = stream;
    ++impl_->stats.hits;
    ThrowIfCuda(cudaStreamWaitEvent(stream, f.loaded, 0), "BufferManager::Pin");
    return f.memory;
  }

  const std::size_t bytes = impl_->source.ChunkBytes(id);
  if (bytes > impl_->frame_bytes) throw EngineError("BufferManager::Pin", "chunk does not fit a frame");

  const std::size_t index = impl_->AcquireFrame(lock);
  Frame& f = impl_->frames[index];
  ThrowIfCuda(cudaMemcpyAsync(f.memory, impl_->source.ChunkData(id), bytes, cudaMemcpyHostToDevice, stream),
              "BufferManager::Pin");
  ThrowIfCuda(cudaEventRecord(f.loaded, stream), "BufferManager::Pin");
  f.chunk = id;
  f.pins = 1;
  f.touched = ++impl_->clock;
  f.last_user = stream;
  impl_->resident.emplace(id, index);
  ++impl_->stats.loads;
  return f.memory;
}

void BufferManager::UnpinAfter(ChunkId id, cudaStream_t stream) {
  std::unique_ptr<Impl::UnpinRequest> request;
  {
    std::lock_guard<std::mutex> lock(impl_->mutex);
    auto it = impl_->resident.find(id);
    if (it == impl_->resident.end()) throw EngineError("BufferManager::UnpinAfter", "chunk is not resident");
    request.reset(new Impl::UnpinRequest{impl_.get(), it->second});
  }
  ThrowIfCuda(cudaLaunchHostFunc(stream, &Impl::OnStreamReached, request.get()), "BufferManager::UnpinAfter");
  (void)request.release();
}

BufferStats BufferManager::stats() const {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  return impl_->stats;
}

}  // namespace quarry

// Tile decoder: tiles go round robin over lanes, finished tiles to a pool of packer threads.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <thread>
#include <vector>

#include "kernels.cuh"
#include "table_cache.h"

namespace codec {
/// A tile on its way back to the host.
struct FinishedTile {
  TileJob job;
  void* pixels;
  cudaEvent_t arrived;
};

class TileQueue {
 public:
  void push(FinishedTile tile) {
    std::lock_guard<std::mutex> guard(mutex_);
    tiles_.push_back(tile);
    ready_.notify_one();
  }
  bool pop(FinishedTile& tile) {
    std::unique_lock<std::mutex> guard(mutex_);
    ready_.wait(guard, [&] { return closed_ || !tiles_.empty(); });
    if (tiles_.empty()) return false;
    tile = tiles_.front();
    tiles_.pop_front();
    return true;
  }
  void close() {
    std::lock_guard<std::mutex> guard(mutex_);
    closed_ = true;
    ready_.notify_all();
  }
 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<FinishedTile> tiles_;
  bool closed_ = false;
};

/// Turns a tile into output; here it checks every sample against the bit stream.
template <typename Sample>
long pack(const TileJob& job, const Sample* pixels) {
  long bad = 0;
  for (int i = 0; i < kTileSamples; ++i) {
    const int value = coefficient_at(job.seed, i) * table_value(job.quality, i % kBlockSize);
    if (pixels[i] != static_cast<Sample>(value)) ++bad;
  }
  return bad;
}

void pack_all(TileQueue& queue, std::atomic<long>& mismatches) {
  FinishedTile tile{};
  while (queue.pop(tile)) {
    CODEC_CHECK(cudaEventSynchronize(tile.arrived));
    CODEC_DISPATCH_SAMPLE(tile.job.format,
                          mismatches += pack(tile.job, static_cast<sample_t*>(tile.pixels));)
  }
}

class Decoder {
 public:
  Decoder(const DecoderConfig& config, TileQueue& out)
      : config_(config), out_(out), tables_(config.table_capacity), lanes_(config.lanes) {
    preload_kernels();
    for (Lane& lane : lanes_) {
      CODEC_CHECK(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
      CODEC_CHECK(cudaMalloc(&lane.coefficients, sizeof(int16_t) * kTileSamples));
      CODEC_CHECK(cudaMalloc(&lane.samples, sizeof(float) * kTileSamples));
    }
  }
  ~Decoder() {
    for (Lane& lane : lanes_) {
      cudaStreamSynchronize(lane.stream);
      for (void* memory : {static_cast<void*>(lane.coefficients), lane.samples}) cudaFree(memory);
      cudaStreamDestroy(lane.stream);
    }
    for (FinishedTile& tile : tiles_) cudaEventDestroy(tile.arrived);
    for (FinishedTile& tile : tiles_) cudaFreeHost(tile.pixels);
  }
  void decode(const std::vector<TileJob>& jobs) {
    allocate(jobs);
    for (size_t i = 0; i < tiles_.size(); ++i) submit(tiles_[i], lanes_[i % lanes_.size()]);
  }
 private:
  void allocate(const std::vector<TileJob>& jobs) {
    for (const TileJob& job : jobs) {
      tiles_.push_back(FinishedTile{job, nullptr, nullptr});
      FinishedTile& tile = tiles_.back();
      CODEC_CHECK(cudaMallocHost(&tile.pixels, sizeof(float) * kTileSamples));
      CODEC_CHECK(cudaEventCreateWithFlags(&tile.arrived, cudaEventDisableTiming));
    }
  }
  void submit(const FinishedTile& tile, Lane& lane) {
    const TileJob& job = tile.job;
    const int64_t cost = job.progressive ? config_.progressive_ns : config_.baseline_ns;
    entropy_decode<<<8, 256, 0, lane.stream>>>(lane.coefficients, kTileSamples, job.seed, cost);
    CODEC_CHECK(cudaGetLastError());
    CODEC_DISPATCH_SAMPLE(job.format, { reconstruct<sample_t>(tile, lane); })
    CODEC_CHECK(cudaEventRecord(tile.arrived, lane.stream));
    out_.push(tile);
  }
  template <typename Sample>
  void reconstruct(const FinishedTile& tile, Lane& lane) {
    Sample* out = static_cast<Sample*>(lane.samples);
    const uint16_t* table = tables_.lookup(tile.job.quality, lane.stream);
    dequantise<<<8, 256, 0, lane.stream>>>(lane.coefficients, table, out, kTileSamples);
    CODEC_CHECK(cudaGetLastError());
    CODEC_CHECK(cudaMemcpyAsync(tile.pixels, out, sizeof(Sample) * kTileSamples,
                                cudaMemcpyDeviceToHost, lane.stream));
  }
  DecoderConfig config_;
  TileQueue& out_;
  TableCache tables_;
  std::vector<Lane> lanes_;
  std::vector<FinishedTile> tiles_;
};
}  // namespace codec

int main() {
  using namespace codec;
  DecoderConfig config;
  std::vector<TileJob> jobs;
  for (int i = 0; i < 6; ++i)
    jobs.push_back({i, i < 3 ? 75 : 40 + 10 * i, i == 0, static_cast<SampleFormat>(i % 3), 11u + i});
  TileQueue finished;
  std::atomic<long> mismatches{0};
  {
    Decoder decoder(config, finished);
    std::vector<std::thread> packers;
    for (int i = 0; i < config.packers; ++i)
      packers.emplace_back([&] { pack_all(finished, mismatches); });
    decoder.decode(jobs);
    finished.close();
    for (std::thread& packer : packers) packer.join();
  }
  std::printf(mismatches.load() ? "WRONG %ld\n" : "DONE\n", mismatches.load());
  return 0;
}

#include "batch_uploader.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "status.h"

namespace ingest {

BatchUploader::BatchUploader(PinnedRing& ring, std::size_t rows_per_batch)
    : ring_(ring), rows_per_batch_(rows_per_batch) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  check(cudaEventCreateWithFlags(&table_ready_, cudaEventDisableTiming));
  check(cudaMalloc(&d_table_, sizeof(Calibration)));
}

BatchUploader::~BatchUploader() {
  cudaStreamSynchronize(stream_);
  for (Sink& sink : sinks_) {
    cudaStreamSynchronize(sink.stream);
    cudaEventDestroy(sink.position);
  }
  cudaFree(d_table_);
  cudaEventDestroy(table_ready_);
  cudaStreamDestroy(stream_);
}

std::size_t BatchUploader::attach(Sample* base, std::size_t capacity, cudaStream_t stream) {
  Sink sink{base, capacity, stream, nullptr};
  check(cudaEventCreateWithFlags(&sink.position, cudaEventDisableTiming));
  check(cudaStreamWaitEvent(stream, table_ready_, 0));
  sinks_.push_back(sink);
  return sinks_.size() - 1;
}

void BatchUploader::calibrate(const Calibration& table) {
  PinnedRing::Slot& slot = ring_.acquire();
  if (slot.capacity < sizeof table) throw std::length_error("calibration exceeds a block");
  std::memcpy(slot.data, &table, sizeof table);

  for (Sink& sink : sinks_) {
    check(cudaEventRecord(sink.position, sink.stream));
    check(cudaStreamWaitEvent(stream_, sink.position, 0));
  }
  check(cudaMemcpyAsync(d_table_, slot.data, sizeof table, cudaMemcpyHostToDevice, stream_));
  ring_.retire(slot, stream_);
  check(cudaEventRecord(table_ready_, stream_));
  for (Sink& sink : sinks_) check(cudaStreamWaitEvent(sink.stream, table_ready_, 0));
}

void BatchUploader::append(std::size_t index, const Sample* rows, std::size_t count) {
  Sink& sink = sinks_.at(index);
  while (count > 0) {
    if (!sink.open) {
      sink.open = &ring_.acquire();
      sink.open_rows = 0;
    }
    const std::size_t limit = std::min(rows_per_batch_, sink.open->capacity / sizeof(Sample));
    const std::size_t take = std::min(count, limit - sink.open_rows);
    std::memcpy(static_cast<Sample*>(sink.open->data) + sink.open_rows, rows, take * sizeof(Sample));
    sink.open_rows += take;
    rows += take;
    count -= take;
    if (sink.open_rows == limit) flush(index);
  }
}

void BatchUploader::flush(std::size_t index) {
  Sink& sink = sinks_.at(index);
  if (!sink.open || sink.open_rows == 0) return;
  if (sink.fill + sink.open_rows > sink.capacity) throw std::length_error("sink is full");
  check(cudaMemcpyAsync(sink.base + sink.fill, sink.open->data, sink.open_rows * sizeof(Sample),
                        cudaMemcpyHostToDevice, sink.stream));
  ring_.retire(*sink.open, stream_);
  sink.fill += sink.open_rows;
  sink.open = nullptr;
}

}  // namespace ingest

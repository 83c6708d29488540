#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>
#include "expected.h"

namespace serve {

// Two page-locked copies of the block table between scheduler and device.
class TableStager {
 public:
  static Expected<std::unique_ptr<TableStager>> create(size_t entries) {
    std::unique_ptr<TableStager> s(new TableStager(entries));
    for (Slot& slot : s->slots_) {
      SERVE_TRY(cudaMallocHost(&slot.host, entries * sizeof(int32_t)));
      SERVE_TRY(cudaEventCreateWithFlags(&slot.drained, cudaEventDisableTiming));
    }
    return std::move(s);
  }

  ~TableStager() {
    for (Slot& slot : slots_) {
      if (slot.drained) cudaEventDestroy(slot.drained);
      cudaFreeHost(slot.host);
    }
  }

  // Fills the next slot with a table of the scheduler.
  cudaError_t stage(const std::vector<int32_t>& table);
  // Sends the staged table once the device copy is idle.
  cudaError_t commit(int32_t* deviceTable, cudaEvent_t tableIdle, cudaStream_t copy);

 private:
  struct Slot {
    int32_t* host = nullptr;
    cudaEvent_t drained = nullptr;
  };
  explicit TableStager(size_t entries) : bytes_(entries * sizeof(int32_t)) {}
  std::array<Slot, 2> slots_{};
  size_t bytes_;
  size_t cursor_ = 0;
};

}  // namespace serve

#include "table_stager.h"
#include <algorithm>

namespace serve {

cudaError_t TableStager::stage(const std::vector<int32_t>& table) {
  Slot& slot = slots_[cursor_ % slots_.size()];
  SERVE_TRY(cudaEventSynchronize(slot.drained));
  std::copy(table.begin(), table.end(), slot.host);
  return cudaSuccess;
}

cudaError_t TableStager::commit(int32_t* deviceTable, cudaEvent_t tableIdle, cudaStream_t copy) {
  Slot& slot = slots_[cursor_ % slots_.size()];
  SERVE_TRY(cudaStreamWaitEvent(copy, tableIdle, 0));
  SERVE_TRY(cudaMemcpyAsync(deviceTable, slot.host, bytes_, cudaMemcpyHostToDevice, copy));
  SERVE_TRY(cudaEventRecord(slot.drained, copy));
  ++cursor_;
  return cudaSuccess;
}

}  // namespace serve

#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "expected.h"
#include "scheduler.h"
#include "table_stager.h"

namespace serve {

class DecodeEngine {
 public:
  static Expected<std::unique_ptr<DecodeEngine>> create(const ServingConfig& config);
  ~DecodeEngine();
  cudaError_t step(int index, const std::vector<int32_t>& table);
  cudaError_t tokens(std::vector<int>& out);

 private:
  explicit DecodeEngine(const ServingConfig& c) : config_(c) {}
  cudaError_t init();
  ServingConfig config_;
  std::unique_ptr<TableStager> stager_;
  cudaStream_t copy_ = nullptr, decode_ = nullptr;
  cudaEvent_t tableReady_ = nullptr, tableIdle_ = nullptr;
  int32_t* table_ = nullptr;
  int* cache_ = nullptr;
  int* tokens_ = nullptr;
};

}  // namespace serve

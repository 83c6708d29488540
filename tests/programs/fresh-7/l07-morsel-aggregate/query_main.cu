#include <chrono>
#include <cstdio>
#include <numeric>
#include <vector>

#include "executor.h"

namespace {

using coldb::Executor;
using coldb::Morsel;
using coldb::Status;

constexpr int kMorsels = 16;
constexpr size_t kBaseRows = 2048;

struct Table {
  std::vector<uint32_t> column;
  uint32_t* device_column = nullptr;
  unsigned long long* device_sums = nullptr;
  std::vector<Morsel> morsels;
  std::vector<size_t> offsets;
};

Status LoadTable(Table* table) {
  size_t total = 0;
  for (int m = 0; m < kMorsels; ++m) {
    table->offsets.push_back(total);
    total += kBaseRows * (m + 1);
  }
  table->column.resize(total);
  for (size_t i = 0; i < total; ++i)
    table->column[i] = static_cast<uint32_t>(i * 2654435761u) >> 8;
  COLDB_RETURN_IF_CUDA(cudaMalloc(&table->device_column, total * sizeof(uint32_t)));
  COLDB_RETURN_IF_CUDA(
      cudaMalloc(&table->device_sums, kMorsels * coldb::kGroups * sizeof(unsigned long long)));
  COLDB_RETURN_IF_CUDA(cudaMemcpy(table->device_column, table->column.data(),
                                  total * sizeof(uint32_t), cudaMemcpyHostToDevice));
  for (int m = 0; m < kMorsels; ++m) {
    Morsel morsel;
    morsel.keys = table->device_column + table->offsets[m];
    morsel.rows = kBaseRows * (m + 1);
    morsel.sums = table->device_sums + m * coldb::kGroups;
    table->morsels.push_back(morsel);
  }
  return Status::FromCuda(cudaDeviceSynchronize());
}

Status CountMismatches(const Table& table, int* mismatches) {
  std::vector<unsigned long long> sums(kMorsels * coldb::kGroups);
  COLDB_RETURN_IF_CUDA(cudaMemcpy(sums.data(), table.device_sums, sums.size() * sizeof(sums[0]),
                                  cudaMemcpyDeviceToHost));
  for (int m = 0; m < kMorsels; ++m) {
    unsigned long long expected[coldb::kGroups] = {};
    for (size_t i = 0; i < table.morsels[m].rows; ++i) {
      const uint32_t key = table.column[table.offsets[m] + i];
      expected[key % coldb::kGroups] += key;
    }
    for (int g = 0; g < coldb::kGroups; ++g)
      *mismatches += sums[m * coldb::kGroups + g] != expected[g];
  }
  return Status::OK();
}

Status RunQuery(double* seconds, int* mismatches) {
  Table table;
  Executor executor;
  COLDB_RETURN_IF_ERROR(LoadTable(&table));
  COLDB_RETURN_IF_ERROR(executor.Open());
  COLDB_RETURN_IF_ERROR(executor.Prepare(table.morsels));

  const auto begin = std::chrono::steady_clock::now();
  COLDB_RETURN_IF_ERROR(executor.Run(table.morsels));
  const auto end = std::chrono::steady_clock::now();
  *seconds = std::chrono::duration<double>(end - begin).count();

  COLDB_RETURN_IF_ERROR(CountMismatches(table, mismatches));
  COLDB_RETURN_IF_CUDA(cudaFree(table.device_column));
  return Status::FromCuda(cudaFree(table.device_sums));
}

}  // namespace

int main() {
  double seconds = 0.0;
  int mismatches = 0;
  const Status status = RunQuery(&seconds, &mismatches);
  if (!status.ok()) {
    std::printf("ERROR %s\n", status.message());
    return 1;
  }
  const double ideal = kMorsels / Executor::kLanes * coldb::kScanMillis * 1e-3;
  const double ratio = seconds / ideal;
  if (mismatches > 0)
    std::printf("WRONG %d\n", mismatches);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}

#include <colforge/table.hpp>

namespace colforge {

table::table(int rows, int columns) : rows_(rows), columns_(columns)
{
  const size_t bytes = sizeof(int32_t) * static_cast<size_t>(rows) * columns;
  COLFORGE_CUDA_TRY(cudaMalloc(&data_, bytes));
  COLFORGE_CUDA_TRY(cudaMemset(data_, 0, bytes));
  COLFORGE_CUDA_TRY(cudaDeviceSynchronize());
}

table::~table() { cudaFree(data_); }

}  // namespace colforge

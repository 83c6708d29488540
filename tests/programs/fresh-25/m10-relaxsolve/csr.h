#pragma once

#include "handle.h"

#include <vector>

namespace relax {

// Square sparse matrix in CSR form, in device memory.
class csr_matrix {
 public:
  csr_matrix(const std::vector<int>& row_ptr, const std::vector<int>& col,
             const std::vector<double>& val);
  ~csr_matrix();
  csr_matrix(const csr_matrix&) = delete;
  csr_matrix& operator=(const csr_matrix&) = delete;

  int rows() const { return rows_; }
  const int* row_ptr() const { return row_ptr_; }
  const int* col() const { return col_; }
  const double* val() const { return val_; }

 private:
  int rows_ = 0;
  int* row_ptr_ = nullptr;
  int* col_ = nullptr;
  double* val_ = nullptr;
};

}  // namespace relax

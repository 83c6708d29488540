#pragma once

#include <cstddef>
#include <vector>

#include <cuda_runtime_api.h>

namespace gblas {

enum class status { ok, invalid_value, out_of_memory, execution_failed };

char const* to_string(status s);

struct axpy_problem {
  int n;
  float alpha;
  float const* x;
  float* y;
};

struct gemv_problem {
  int rows, cols;
  float alpha, beta;
  float const* a;  // row major
  float const* x;
  float* y;
};

/// y += alpha * x for every problem of the group, in one launch.
/// Asynchronous with respect to the host; `problems` is not referred to after the return.
status grouped_axpy(std::vector<axpy_problem> const& problems, cudaStream_t stream);

/// y = alpha * A x + beta * y for every problem of the group, in one launch. As above.
status grouped_gemv(std::vector<gemv_problem> const& problems, cudaStream_t stream);

/// Frees what the library keeps between calls.
void release_caches();

}  // namespace gblas

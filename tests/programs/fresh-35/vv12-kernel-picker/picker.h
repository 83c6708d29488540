#pragma once
#include "transpose.h"

namespace hlx {

struct AutotuneResult {
  Candidate winner;
  double milliseconds;
};

struct AutotuneOptions {
  int repetitions = 4;
};

// Runs every candidate, apart from the program, and gives the fastest.
StatusOr<AutotuneResult> PickFastest(Executor& executor,
                                     const std::vector<Candidate>& candidates,
                                     const AutotuneOptions& options = {});

}  // namespace hlx

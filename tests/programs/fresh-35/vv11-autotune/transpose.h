#pragma once
#include <functional>
#include <vector>

#include "executor.h"

namespace hlx {

// One way to run an instruction.
struct Candidate {
  std::string name;
  std::function<Status(Stream&)> run;
};

// Ways to transpose the n by n matrix `in` into `out`.
std::vector<Candidate> TransposeCandidates(const float* in, float* out, int n);

}  // namespace hlx

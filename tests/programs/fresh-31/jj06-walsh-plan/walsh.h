#pragma once
#include "recorder.h"

namespace spec {

inline constexpr int kLog = 12;
inline constexpr int kSize = 1 << kLog;

// out = filter(a) + 3 filter(b), the filter being diagonal in Walsh space.
Plan make_filter(const Word* a, const Word* b, Word* out, std::shared_ptr<Weights> w);

void host_walsh(std::vector<Word>& v);

}  // namespace spec

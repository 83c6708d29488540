#include "picker.h"

#include <optional>

#include "gpu_timer.h"

namespace hlx {
namespace {

StatusOr<double> Profile(Stream& stream, const Candidate& candidate,
                         int repetitions) {
  HLX_RETURN_IF_ERROR(candidate.run(stream));
  HLX_RETURN_IF_ERROR(stream.BlockHostUntilDone());

  auto timer = GpuTimer::Create(stream);
  HLX_RETURN_IF_ERROR(timer.status());
  HLX_RETURN_IF_ERROR(timer.value().Start());
  for (int i = 0; i < repetitions; ++i)
    HLX_RETURN_IF_ERROR(candidate.run(stream));
  HLX_RETURN_IF_ERROR(timer.value().Stop());
  auto total = timer.value().Milliseconds();
  HLX_RETURN_IF_ERROR(total.status());
  HLX_RETURN_IF_ERROR(stream.BlockHostUntilDone());
  return total.value() / repetitions;
}

}  // namespace

StatusOr<AutotuneResult> PickFastest(Executor& executor,
                                     const std::vector<Candidate>& candidates,
                                     const AutotuneOptions& options) {
  auto stream = executor.CreateStream();
  HLX_RETURN_IF_ERROR(stream.status());
  std::optional<AutotuneResult> best;
  for (const Candidate& candidate : candidates) {
    auto ms = Profile(*stream.value(), candidate, options.repetitions);
    HLX_RETURN_IF_ERROR(ms.status());
    if (!best || ms.value() < best->milliseconds)
      best = AutotuneResult{candidate, ms.value()};
  }
  if (!best) return Status("NoCandidates");
  return *best;
}

}  // namespace hlx

#include "tuner.h"

#include <chrono>

namespace tunekit {

stopwatch::stopwatch(cudaStream_t stream) : stream_(stream)
{
  guard(cudaEventCreateWithFlags(&begin_, cudaEventBlockingSync));
  guard(cudaEventCreateWithFlags(&end_, cudaEventBlockingSync));
}

stopwatch::~stopwatch()
{
  cudaEventDestroy(begin_);
  cudaEventDestroy(end_);
}

void stopwatch::start() { guard(cudaEventRecord(begin_, stream_)); }
void stopwatch::stop() { guard(cudaEventRecord(end_, stream_)); }

double stopwatch::elapsed_ms()
{
  guard(cudaEventSynchronize(end_));
  float ms = 0.0f;
  guard(cudaEventElapsedTime(&ms, begin_, end_));
  return ms;
}

timing tuner::measure(const candidate& c, cudaStream_t stream) const
{
  using clock = std::chrono::steady_clock;
  timing t;
  t.name = c.name;

  const auto first = clock::now();
  c.launch(stream);
  guard(cudaStreamSynchronize(stream));
  t.cold_ms = std::chrono::duration<double, std::milli>(clock::now() - first).count();

  for (int i = 0; i < options_.warmup; ++i) c.launch(stream);

  stopwatch watch(stream);
  watch.start();
  for (int i = 0; i < options_.calls; ++i) c.launch(stream);
  watch.stop();
  t.steady_ms = watch.elapsed_ms() / options_.calls;
  return t;
}

std::vector<timing> tuner::run(cudaStream_t stream) const
{
  std::vector<timing> results;
  for (const candidate& c : list_) results.push_back(measure(c, stream));
  return results;
}

}  // namespace tunekit

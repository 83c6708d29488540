#include "state.cuh"
#include "stream_set.cuh"

#include <cmath>
#include <numeric>

namespace gpumark
{
namespace detail
{

static void summarize(state &st, const std::string &prefix, const std::vector<double> &samples, std::size_t launches)
{
  const double n    = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / n;
  double var        = 0;
  for (const double s : samples)
  {
    var += (s - mean) * (s - mean);
  }
  st.add_summary(prefix + "/samples", n);
  st.add_summary(prefix + "/time/mean", mean);
  st.add_summary(prefix + "/time/stdev/relative", samples.size() > 1 ? std::sqrt(var / (n - 1)) / mean : 0.0);
  if (st.get_element_count() > 0)
  {
    st.add_summary(prefix + "/items/rate", static_cast<double>(st.get_element_count() * launches) / mean);
  }
}

struct measure_isolated
{
  measure_isolated(state &st, const kernel_launcher &launcher) : m_state(st), m_launcher(launcher), m_streams(1) {}

  void operator()()
  {
    const cudaStream_t stream = m_streams.primary();
    m_launcher(launch{stream, 0}); // warmup
    GPUMARK_CUDA_CALL(cudaStreamSynchronize(stream));

    std::vector<double> samples;
    for (int i = 0; i < m_state.get_min_samples(); ++i)
    {
      m_l2flush.flush(stream);
      GPUMARK_CUDA_CALL(cudaStreamSynchronize(stream));
      m_timer.start(stream);
      m_launcher(launch{stream, 0});
      m_timer.stop(stream);
      GPUMARK_CUDA_CALL(cudaStreamSynchronize(stream));
      samples.push_back(m_timer.get_duration());
    }
    summarize(m_state, "isolated", samples, 1);
  }

private:
  state &m_state;
  const kernel_launcher &m_launcher;
  stream_set m_streams;
  cuda_timer m_timer;
  l2flush m_l2flush;
};

struct measure_concurrent
{
  measure_concurrent(state &st, const kernel_launcher &launcher)
      : m_state(st), m_launcher(launcher), m_streams(st.get_streams())
  {}

  void operator()()
  {
    run_batch(); // warmup
    std::vector<double> samples;
    for (int i = 0; i < m_state.get_min_samples(); ++i)
    {
      samples.push_back(run_batch());
    }
    summarize(m_state, "concurrent", samples, static_cast<std::size_t>(m_state.get_batch_size()));
  }

private:
  double run_batch()
  {
    const cudaStream_t primary = m_streams.primary();
    m_l2flush.flush(primary);
    m_timer.start(primary);
    m_streams.fork();
    for (int i = 0; i < m_state.get_batch_size(); ++i)
    {
      const std::size_t idx = static_cast<std::size_t>(i);
      m_launcher(launch{m_streams.worker(idx), idx});
    }
    m_streams.join();
    m_timer.stop(primary);
    GPUMARK_CUDA_CALL(cudaStreamSynchronize(primary));
    return m_timer.get_duration();
  }

  state &m_state;
  const kernel_launcher &m_launcher;
  stream_set m_streams;
  cuda_timer m_timer;
  l2flush m_l2flush;
};

} // namespace detail

void state::exec(exec_tag::isolated_t, const kernel_launcher &launcher)
{
  detail::measure_isolated measure(*this, launcher);
  measure();
}

void state::exec(exec_tag::concurrent_t, const kernel_launcher &launcher)
{
  detail::measure_concurrent measure(*this, launcher);
  measure();
}

} // namespace gpumark

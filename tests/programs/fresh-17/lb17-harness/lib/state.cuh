#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace gpumark
{

// What a kernel launcher gets
struct launch
{
  cudaStream_t stream;
  std::size_t index; // number of the launch in its batch

  cudaStream_t get_stream() const { return stream; }
};

using kernel_launcher = std::function<void(const launch &)>;

namespace exec_tag
{
struct isolated_t {};   // one launch per sample, cold cache
struct concurrent_t {}; // a batch of launches per sample, over several streams
inline constexpr isolated_t isolated{};
inline constexpr concurrent_t concurrent{};
} // namespace exec_tag

struct state
{
  void add_int64(const std::string &axis, std::int64_t value) { m_axes[axis] = value; }
  std::int64_t get_int64(const std::string &axis) const
  {
    const auto it = m_axes.find(axis);
    if (it == m_axes.end())
    {
      throw std::runtime_error("no axis named " + axis);
    }
    return it->second;
  }

  void set_min_samples(int n) { m_min_samples = n; }
  void set_batch_size(int n) { m_batch_size = n; }
  void set_streams(int n) { m_streams = n; }
  void add_element_count(std::size_t n) { m_elements += n; }

  int get_min_samples() const { return m_min_samples; }
  int get_batch_size() const { return m_batch_size; }
  int get_streams() const { return m_streams; }
  std::size_t get_element_count() const { return m_elements; }

  void add_summary(const std::string &tag, double value) { m_summaries[tag] = value; }
  double get_summary(const std::string &tag) const { return m_summaries.at(tag); }

  void exec(exec_tag::isolated_t, const kernel_launcher &launcher);
  void exec(exec_tag::concurrent_t, const kernel_launcher &launcher);

private:
  std::map<std::string, std::int64_t> m_axes;
  std::map<std::string, double> m_summaries;
  int m_min_samples{5};
  int m_batch_size{8};
  int m_streams{4};
  std::size_t m_elements{};
};

} // namespace gpumark

#pragma once
#include "cuw.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cuw {

struct region_summary {
  std::string name;
  std::size_t count = 0;
  milliseconds total{0};
  milliseconds longest{0};
  milliseconds mean() const { return count ? total / static_cast<float>(count) : milliseconds(0); }
};

/**
 * Collects device times of named regions of streams.
 *
 *     cuw::profiler prof;
 *     {
 *       auto r = prof.region("assembly", stream);
 *       assemble<<<grid, block, 0, stream.get()>>>(...);
 *     }
 *     auto s = prof.summary("assembly");
 *
 * The time of a region is that of the work issued to its stream while it was open, as
 * the device ran it. Opening and closing never block; summary() waits for what has been
 * closed. A profiler is used by one thread and outlives its regions.
 */
class profiler {
 public:
  class scoped_region {
   public:
    scoped_region(scoped_region&& o) noexcept;
    scoped_region(scoped_region const&) = delete;
    scoped_region& operator=(scoped_region const&) = delete;
    scoped_region& operator=(scoped_region&&) = delete;
    ~scoped_region();

   private:
    friend class profiler;
    scoped_region(profiler& owner, std::string name, stream_ref s);

    profiler* owner_;
    std::string name_;
    stream_ref stream_;
    timed_event begin_;
    timed_event end_;
  };

  scoped_region region(std::string name, stream_ref s = {});
  region_summary summary(std::string const& name);
  std::vector<std::string> names() const;
  void reset();

 private:
  struct sample {
    timed_event begin;
    timed_event end;
  };
  timed_event take_event();
  void fold(std::string const& name);

  std::map<std::string, std::vector<sample>> open_samples_;
  std::map<std::string, region_summary> folded_;
  std::vector<timed_event> spare_;
};

}  // namespace cuw

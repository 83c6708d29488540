#include "profiler.hpp"

#include <algorithm>

namespace cuw {

profiler::scoped_region::scoped_region(profiler& owner, std::string name, stream_ref s)
  : owner_(&owner), name_(std::move(name)), stream_(s), begin_(owner.take_event()),
    end_(owner.take_event()) {
  begin_.record(stream_);
}

profiler::scoped_region::scoped_region(scoped_region&& o) noexcept
  : owner_(std::exchange(o.owner_, nullptr)), name_(std::move(o.name_)), stream_(o.stream_),
    begin_(std::move(o.begin_)), end_(std::move(o.end_)) {}

profiler::scoped_region::~scoped_region() {
  if (owner_ == nullptr) return;
  try {
    end_.record(stream_);
    owner_->open_samples_[name_].push_back(sample{std::move(begin_), std::move(end_)});
  } catch (...) {
  }
}

profiler::scoped_region profiler::region(std::string name, stream_ref s) {
  return scoped_region(*this, std::move(name), s);
}

timed_event profiler::take_event() {
  if (spare_.empty()) return timed_event();
  timed_event e = std::move(spare_.back());
  spare_.pop_back();
  return e;
}

void profiler::fold(std::string const& name) {
  auto it = open_samples_.find(name);
  if (it == open_samples_.end()) return;
  region_summary& sum = folded_[name];
  sum.name = name;
  for (auto& s : it->second) {
    milliseconds const t = elapsed(s.begin, s.end);
    ++sum.count;
    sum.total += t;
    sum.longest = std::max(sum.longest, t);
    spare_.push_back(std::move(s.begin));
    spare_.push_back(std::move(s.end));
  }
  open_samples_.erase(it);
}

region_summary profiler::summary(std::string const& name) {
  fold(name);
  auto it = folded_.find(name);
  return it == folded_.end() ? region_summary{name} : it->second;
}

std::vector<std::string> profiler::names() const {
  std::vector<std::string> out;
  for (auto const& kv : folded_) out.push_back(kv.first);
  for (auto const& kv : open_samples_)
    if (!folded_.count(kv.first)) out.push_back(kv.first);
  return out;
}

void profiler::reset() {
  while (!open_samples_.empty()) fold(open_samples_.begin()->first);
  folded_.clear();
}

}  // namespace cuw

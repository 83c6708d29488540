#pragma once
#include "exec_space.hpp"

namespace px {

// Members of an ensemble advance side by side, each in its own instance; after each step the
// state is brought into the member's output frame.
template <class T>
class Ensemble {
 public:
  explicit Ensemble(int members) {
    auto parts = partition_space(members);
    members_.reserve(members);
    for (auto& exec : parts) {
      const std::string label = "frame" + std::to_string(members_.size());
      members_.push_back({std::move(exec), DeviceView<T>(), HostView<T>(label, 0, HostSpace::Pinned)});
    }
  }

  void configure(std::size_t cells) {
    for (auto& m : members_) {
      m.state = DeviceView<T>("state", cells);
      m.frame.resize(cells);
    }
  }

  int size() const { return static_cast<int>(members_.size()); }

  template <class Step>
  void advance(int i, Step&& step) {
    Member& m = members_.at(i);
    step(m.exec, m.state);
    check(cudaGetLastError());
    deep_copy(m.exec, m.frame, m.state);
  }

  // Returns the frame of the member's last step.
  const HostView<T>& collect(int i) {
    Member& m = members_.at(i);
    m.exec.fence();
    return m.frame;
  }

 private:
  struct Member {
    ExecSpace exec;
    DeviceView<T> state;
    HostView<T> frame;
  };
  std::vector<Member> members_;
};

}  // namespace px

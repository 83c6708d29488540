#pragma once

#include <cuda_runtime.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace risk {

class Fault : public std::runtime_error {
 public:
  explicit Fault(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
  explicit Fault(const char* what) : std::runtime_error(what) {}
};

#define RISK(expr)                                \
  do {                                            \
    const cudaError_t risk_code = (expr);         \
    if (risk_code != cudaSuccess) throw ::risk::Fault(risk_code); \
  } while (0)

struct Setup {
  int positions = 8192;
  int scenarios = 6;
  long long valuation_ns = 8000000;
};

// Meeting point of all desks and the main thread, usable over and over.
class Roll {
 public:
  explicit Roll(int members) : members_(members) {}

  void meet() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (broken_) throw Fault("another desk failed");
    const int round = round_;
    if (++present_ == members_) {
      present_ = 0;
      ++round_;
      all_.notify_all();
      return;
    }
    all_.wait(lock, [&] { return round_ != round || broken_; });
    if (round_ == round) throw Fault("another desk failed");
  }

  void break_up() {
    std::lock_guard<std::mutex> lock(mutex_);
    broken_ = true;
    all_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_;
  const int members_;
  int present_ = 0;
  int round_ = 0;
  bool broken_ = false;
};

struct ScenarioResult {
  long long value = 0;
  long long delta = 0;
};

// Values a book under a list of scenarios. open(), run() and close() belong to
// the desk's thread, whose default stream carries the valuation.
class Desk {
 public:
  Desk(int id, Setup setup) : id_(id), setup_(setup) {}
  void open();
  void run(int scenarios);
  void close() { res_.reset(); }
  int mistakes() const;

 private:
  struct Resources;
  struct ResourcesDelete {
    void operator()(Resources* r) const;
  };
  void fill(int scenario, int* shocks) const;

  int id_;
  Setup setup_;
  std::unique_ptr<Resources, ResourcesDelete> res_;
  std::vector<ScenarioResult> results_;
};

}  // namespace risk

#pragma once

#include "cuda_utils.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// One way to do a piece of work. `prologue` puts the main part on the device, `epilogue` brings the parts together:
/// after it the result is ordered on the caller's stream.
class Variant {
 public:
  virtual ~Variant() = default;
  virtual std::string name() const = 0;
  virtual bool supported() const { return true; }
  virtual void prologue(cudaStream_t stream) = 0;
  virtual void epilogue(cudaStream_t stream) = 0;

  void run(cudaStream_t stream) {
    prologue(stream);
    epilogue(stream);
  }
};

struct TuningOptions {
  int warmups = 1;
  int repeats = 3;
};

struct Measurement {
  std::string variant;
  float median_ms = 0.f;
};

/// Times variants once per problem key and remembers the fastest.
class Autotuner {
 public:
  explicit Autotuner(TuningOptions options = {}) : options_(options) {}

  /// Index of the variant to use for `key`; measures on `stream` when the key is new.
  std::size_t choose(const std::string& key, const std::vector<std::unique_ptr<Variant>>& variants, cudaStream_t stream);

  const std::vector<Measurement>& report(const std::string& key) const { return reports_.at(key); }
  void forget(const std::string& key);

 private:
  float measure(Variant& v, cudaStream_t stream);

  TuningOptions options_;
  Stopwatch watch_;
  std::map<std::string, std::size_t> best_;
  std::map<std::string, std::vector<Measurement>> reports_;
};

}  // namespace kiln

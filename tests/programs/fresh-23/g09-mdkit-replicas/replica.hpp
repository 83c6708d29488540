#pragma once

#include "memory.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace mdkit {

/// A closed chain of particles on springs with a quartic term.
struct model {
  int particles = 256;
  float stiffness = 1.0f;
  float quartic = 0.1f;
  float dt = 0.01f;
  int max_steps = 256;  ///< of one call to advance()
};

struct energy {
  float kinetic = 0.0f;
  float potential = 0.0f;
};

/// One copy of the system. A replica is used by one thread at a time; different replicas do not
/// share anything.
class replica {
 public:
  replica(const model& m, std::uint32_t seed);
  ~replica();
  replica(replica&&) noexcept;
  replica& operator=(replica&&) noexcept;

  /// Enqueues a number of time steps on `stream` and returns without waiting for the device, so that
  /// replicas on streams of their own advance side by side.
  void advance(int steps, cudaStream_t stream);

  /// Waits for the last advance() and returns the energies after each of its steps.
  std::vector<energy> collect();

  /// Puts the momenta of all particles to zero, on `stream`.
  void quench(cudaStream_t stream);

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace mdkit

#ifndef DIGEST_SERVICE_H
#define DIGEST_SERVICE_H

/* A digest service that lives on the device: one kernel stays resident and
 * serves jobs which host threads put on a board in mapped host memory. */

#include <cuda_runtime.h>

#include <mutex>

namespace digest {

constexpr unsigned kCells = 16;
constexpr unsigned kServers = 4;
constexpr unsigned kThreads = 128;

struct Job {
  const unsigned *data; /* device memory */
  unsigned count;
  unsigned salt;
  unsigned long long *answer; /* mapped host memory */
};

struct alignas(64) Cell {
  Job job;
  unsigned posted;
  unsigned done;
};

struct Board {
  Cell cells[kCells];
  unsigned quit;
};

class Service {
 public:
  typedef unsigned Ticket;

  Service();
  ~Service();
  Service(const Service &) = delete;
  Service &operator=(const Service &) = delete;

  /* Kernels that will be launched while the service is up. */
  cudaError_t prepare(const void *kernel);

  cudaError_t start();
  Ticket post(const Job &job);
  void wait(Ticket t);
  cudaError_t stop();

 private:
  cudaError_t launch();

  std::mutex mutex_;
  Board *board_;
  cudaStream_t stream_;
  bool up_;
  Ticket next_;
};

} /* namespace digest */

#endif

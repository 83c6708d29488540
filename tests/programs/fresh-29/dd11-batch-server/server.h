#pragma once

#include "channel.h"

#include <cuda_runtime.h>

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace serving {

constexpr int kFeatures = 512;
constexpr int kMaxBatch = 8;

struct Score {
  unsigned value;
  int batch_size;
};
struct Refusal {
  std::string reason;
};
using Outcome = std::variant<Score, Refusal>;

struct Config {
  int slots = 4;
  std::chrono::microseconds window{1500};
  long long kernel_ns = 4000000;
};

unsigned reference_score(const std::vector<unsigned>& features);

// Batches requests of many clients, runs the batches on a few streams and
// answers through futures.
class Server {
 public:
  explicit Server(Config config);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::future<Outcome> submit(std::vector<unsigned> features);

 private:
  struct Request {
    std::vector<unsigned> features;
    std::promise<Outcome> promise;
  };
  struct Slot {
    Server* server = nullptr;
    cudaStream_t stream = nullptr;
    unsigned* host_in = nullptr;
    unsigned* host_out = nullptr;
    unsigned* dev_in = nullptr;
    unsigned* dev_out = nullptr;
    std::vector<Request> batch;
  };

  static void CUDART_CB landed(void* slot);
  cudaError_t open_slot(Slot& s);
  void close_slot(Slot& s);
  cudaError_t launch(Slot& s);
  void batch_loop();
  void answer_loop();
  void refuse(Slot& s, const std::string& why);

  Config config_;
  std::vector<std::unique_ptr<Slot>> slots_;
  Channel<Request> inbox_;
  Channel<Slot*> idle_;
  Channel<Slot*> landed_;
  std::thread batcher_;
  std::thread answerer_;
};

}  // namespace serving

#pragma once
#include "channel.hpp"
#include <atomic>
#include <memory>
#include <thread>

namespace rc {
// Thread that carries staged slots to the peer.
class Proxy {
 public:
  Proxy() : thread_([this] { run(); }) {}
  ~Proxy();
  void submit(Channel* from, Channel* to, Slot* slot, std::size_t bytes);
  cudaError_t status() const { return status_.load(); }

 private:
  struct Job {
    Channel* from;
    Channel* to;
    Slot* slot;
    std::size_t bytes;
  };
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool stop_ = false;
  std::atomic<cudaError_t> status_{cudaSuccess};
  std::thread thread_;
};

// Messages are cut into parts, which go round the channels. Both calls take
// their place in the order of the given stream; recv returns when the data
// has arrived.
class Communicator {
 public:
  Communicator(int channels, std::size_t part_bytes, int slots = 4);
  ~Communicator();
  void connect(Communicator& peer) { peer_ = &peer; }
  void send(const float* data, std::size_t count, cudaStream_t stream);
  void recv(float* data, std::size_t count, cudaStream_t stream);

 private:
  void fork(cudaStream_t stream);
  void join(cudaStream_t stream);

  std::size_t part_;
  Communicator* peer_ = nullptr;
  cudaEvent_t entry_ = nullptr;
  std::vector<std::unique_ptr<Channel>> channels_;
  Proxy proxy_;
};
}  // namespace rc

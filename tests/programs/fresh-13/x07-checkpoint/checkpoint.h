#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <thread>

#include "events.h"

namespace ckpt {

struct TensorRef {
  const float* data;
  std::size_t count;
};

struct Record {
  std::size_t count = 0;
  std::uint64_t checksum = 0;
};

// Packs tensors to 16 bit integers on its own stream and writes them from its own thread.
// Tensors handed to save() stay unchanged until finish() has returned.
class Writer {
 public:
  Writer(EventPool& events, std::size_t max_count, int max_tensors);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void save(const std::string& name, TensorRef tensor, cudaStream_t producer);
  void commit();                         // lets the writing thread begin
  std::map<std::string, Record> finish();  // waits for the writing thread

 private:
  struct Job {
    std::string name;
    const std::int16_t* staging;
    std::size_t count;
    cudaEvent_t arrived;
  };

  void run();

  EventPool& events_;
  std::size_t max_count_;
  int max_tensors_;
  int used_ = 0;
  cudaStream_t stream_ = nullptr;
  std::int16_t* packed_ = nullptr;   // device, one slice per tensor
  std::int16_t* staging_ = nullptr;  // pinned, one slice per tensor

  std::mutex mu_;
  std::condition_variable cv_;
  bool committed_ = false;
  std::deque<Job> jobs_;
  std::map<std::string, Record> written_;
  std::thread thread_;
};

}  // namespace ckpt

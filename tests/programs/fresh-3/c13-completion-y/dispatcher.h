#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace serving {

using ticket_id = std::uint64_t;
using completion = std::function<void(ticket_id)>;

// Tracks requests that are in flight on the caller's streams. Every submitted request gets a
// ticket; when the stream reaches it, the ticket moves to the finished list. Completions run on
// the thread that calls drain() or poll().
class dispatcher {
 public:
  dispatcher() = default;
  ~dispatcher();
  dispatcher(dispatcher const&) = delete;
  dispatcher& operator=(dispatcher const&) = delete;

  cudaError_t submit(cudaStream_t stream, completion fn, ticket_id* id = nullptr);
  std::size_t poll();
  cudaError_t drain();
  std::size_t in_flight() const;

 private:
  struct ticket {
    dispatcher* self = nullptr;
    ticket_id id = 0;
    cudaEvent_t reached = nullptr;
    completion fn;
  };

  static void CUDART_CB on_reached(void* user);
  void retire(ticket_id id);
  void run_finished(std::vector<std::unique_ptr<ticket>>& done);

  mutable std::mutex mutex_;
  ticket_id next_ = 1;
  std::unordered_map<ticket_id, std::unique_ptr<ticket>> pending_;
  std::deque<std::unique_ptr<ticket>> finished_;
};

}  // namespace serving

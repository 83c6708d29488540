#pragma once
#include "event_pool.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

namespace spans {

struct Report {
  std::string name;
  float device_ms;
  std::chrono::steady_clock::time_point retired_at;
};

using Sink = std::function<void(const Report&)>;

// Records named spans of device work. Spans may be opened and closed from
// any thread; reports are delivered by flush().
class Recorder {
 public:
  explicit Recorder(std::size_t reserve = 64);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void add_sink(Sink sink);
  std::uint64_t open(std::string name, cudaStream_t stream);
  void close(std::uint64_t id);
  std::size_t flush();

 private:
  struct Span {
    std::string name;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    std::chrono::steady_clock::time_point retired_at;
  };
  struct Ticket {
    Recorder* owner;
    std::uint64_t id;
  };

  static void CUDART_CB retire(void* ticket);

  std::mutex mutex_;
  EventPool pool_;
  std::unordered_map<std::uint64_t, Span> active_;
  std::deque<std::uint64_t> retired_;
  std::set<cudaStream_t> streams_;
  std::vector<Sink> sinks_;
  std::uint64_t next_ = 1;
};

// Opens a span on construction, closes it on destruction.
class Scope {
 public:
  Scope(Recorder& r, std::string name, cudaStream_t s) : recorder_(r), id_(r.open(std::move(name), s)) {}
  ~Scope() { recorder_.close(id_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Recorder& recorder_;
  std::uint64_t id_;
};

}  // namespace spans

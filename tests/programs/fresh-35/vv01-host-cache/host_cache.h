#pragma once
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>

#include "stream.h"

namespace pico {

// Page-locked blocks, kept for later requests. A block that was given back goes
// into the free list when every event recorded for it has completed.
class HostCache {
 public:
  static HostCache& instance();

  void* allocate(std::size_t bytes);
  void release(void* ptr);
  void record(void* ptr, Stream stream);

 private:
  struct Block {
    std::size_t bytes;
    bool in_use;
    int events;
  };
  struct Pending {
    Event event;
    void* ptr;
  };

  void retire_events();

  std::mutex mutex_;
  std::unordered_map<void*, Block> blocks_;
  std::multimap<std::size_t, void*> free_;
  std::deque<Pending> pending_;
};

}  // namespace pico

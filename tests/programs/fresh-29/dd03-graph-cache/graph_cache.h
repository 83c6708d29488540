#pragma once

#include "lanes.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <utility>

namespace gx {

struct Shape {
  int rows;
  int width;
  bool operator<(const Shape& o) const {
    return rows != o.rows ? rows < o.rows : width < o.width;
  }
};

// Runs an operator either directly or as an executable graph kept per shape.
// `binding` identifies the buffers that the operator was bound to.
class GraphCache {
 public:
  using Emit = std::function<void(cudaStream_t)>;

  struct Counters {
    int direct = 0, instantiated = 0, updated = 0, evicted = 0, launched = 0;
  };

  GraphCache(size_t capacity, int direct_runs);
  ~GraphCache();
  GraphCache(const GraphCache&) = delete;
  GraphCache& operator=(const GraphCache&) = delete;

  void submit(const Shape& shape, uint64_t binding, cudaStream_t stream, const Emit& emit);
  const Counters& counters() const { return counters_; }

 private:
  struct Entry {
    cudaGraphExec_t exec = nullptr;
    cudaEvent_t last_use = nullptr;
    uint64_t binding = 0;
    int runs = 0;
    std::list<Shape>::iterator age;
  };

  Entry& lookup(const Shape& shape);
  cudaGraph_t record(const Emit& emit);
  void rebind(Entry& e, uint64_t binding, const Emit& emit);
  static void dispose(Entry& e);

  size_t capacity_;
  int direct_runs_;
  cudaStream_t recorder_ = nullptr;
  std::map<Shape, Entry> entries_;
  std::list<Shape> by_age_;
  Counters counters_;
};

}  // namespace gx

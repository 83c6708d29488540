#pragma once
#include "lane_pool.hpp"

namespace feed {

struct Order {
  int side;  // +1 buy, -1 sell
  int qty;
};

constexpr unsigned kBatch = 1024;
constexpr unsigned kBatches = 6;
constexpr unsigned kClosed = 0x80000000u;
constexpr unsigned kCount = 0x7fffffffu;
constexpr int kSymbols = 4096;

// What the gateway writes and the matcher reads.
struct Inbox {
  unsigned* head = nullptr;  // number of published batches, with kClosed at the end of the session
  Order* ring = nullptr;
};

// Matches incoming batches for a whole session with one long-lived kernel.
class Matcher {
 public:
  explicit Matcher(LanePool& pool);
  ~Matcher();
  void open();
  void join();
  Inbox inbox() const { return inbox_; }
  long long net() const;

 private:
  cudaStream_t lane_;
  Inbox inbox_;
  long long* net_ = nullptr;
};

// Positions by symbol, marked to market every now and then.
class RiskBook {
 public:
  explicit RiskBook(LanePool& pool);
  ~RiskBook();
  void mark();
  int wrong(int marks) const;

 private:
  cudaStream_t lane_;
  int* value_ = nullptr;
};

// Brings batches from the wire to the inbox of the matcher.
class Gateway {
 public:
  Gateway(LanePool& pool, Inbox inbox);
  ~Gateway();
  Order* slot(unsigned batch) { return wire_ + batch * kBatch; }
  void publish(unsigned batch);
  void close();

 private:
  cudaStream_t lane_;
  Inbox inbox_;
  Order* wire_ = nullptr;
};

}  // namespace feed

#pragma once
// Continuous batching: every step each live sequence gains a chunk of KV cache
// blocks; a sequence that is full leaves and a waiting request takes its row.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace serve {

struct ServingConfig {
  int rows = 128;
  int chunk = 16;
  int chunksPerRow = 10;
  int cacheBlocks = 24576;
  int steps = 12;
  unsigned stepMicros = 15000;
  int blocksPerRow() const { return chunk * chunksPerRow; }
  int tableEntries() const { return rows * blocksPerRow(); }
};

class BatchScheduler {
 public:
  explicit BatchScheduler(const ServingConfig& c) : config_(c), rows_(c.rows) {
    for (int b = 0; b < c.cacheBlocks; ++b) free_.push_back(b);
    for (int r = 0; r < c.rows; ++r) rows_[r].target = chunksFor(r);
  }

  // Advances all rows by one step and returns the block table, -1 padded.
  const std::vector<int32_t>& advance() {
    table_.assign(config_.tableEntries(), -1);
    for (int r = 0; r < config_.rows; ++r) {
      Row& row = rows_[r];
      if (static_cast<int>(row.blocks.size()) == row.target * config_.chunk) {
        free_.insert(free_.end(), row.blocks.begin(), row.blocks.end());
        row.blocks.clear();
        row.target = chunksFor(row.target * 5 + r);
      }
      for (int k = 0; k < config_.chunk; ++k) {
        row.blocks.push_back(free_.front());
        free_.pop_front();
      }
      std::copy(row.blocks.begin(), row.blocks.end(), table_.begin() + r * config_.blocksPerRow());
    }
    return table_;
  }

 private:
  struct Row {
    std::vector<int32_t> blocks;
    int target = 0;
  };
  int chunksFor(int seed) const { return 3 + seed % (config_.chunksPerRow - 3); }

  ServingConfig config_;
  std::deque<int32_t> free_;
  std::vector<Row> rows_;
  std::vector<int32_t> table_;
};

}  // namespace serve

// A periodic one-dimensional automaton, split over several ranks of different
// size that share one device.
#include "rank.h"

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace {

constexpr int kSteps = 70;
const int kSizes[] = {4000, 2500, 6100};

std::vector<unsigned> initial() {
  int total = 0;
  for (int s : kSizes) total += s;
  std::vector<unsigned> cells(total);
  for (int i = 0; i < total; ++i) cells[i] = i * 2246822519u ^ (i >> 3);
  return cells;
}

std::vector<unsigned> reference(std::vector<unsigned> now) {
  const size_t n = now.size();
  std::vector<unsigned> next(n);
  for (int t = 0; t < kSteps; ++t) {
    for (size_t i = 0; i < n; ++i)
      next[i] = halo::stencil(now[(i + n - 1) % n], now[i], now[(i + 1) % n], t);
    now.swap(next);
  }
  return now;
}

class FirstFailure {
 public:
  void set(const char* what) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (what_.empty()) what_ = what;
  }
  const std::string& what() const { return what_; }

 private:
  std::mutex mutex_;
  std::string what_;
};

void drive(halo::Rank& rank, std::atomic<bool>& stop, FirstFailure& failure) {
  try {
    rank.advance(kSteps);
  } catch (const halo::Failure& f) {
    failure.set(f.what());
    stop = true;
  }
}

std::vector<std::unique_ptr<halo::Rank>> split(const std::vector<unsigned>& cells,
                                               std::atomic<bool>* stop) {
  const size_t total = cells.size();
  std::vector<std::unique_ptr<halo::Rank>> ranks;
  size_t first = 0;
  for (int size : kSizes) {
    const std::vector<unsigned> part(cells.begin() + first, cells.begin() + first + size);
    ranks.push_back(std::make_unique<halo::Rank>(static_cast<int>(ranks.size()), part,
                                                 cells[(first + total - 1) % total],
                                                 cells[(first + size) % total]));
    first += size;
  }
  const size_t n = ranks.size();
  for (size_t r = 0; r < n; ++r)
    ranks[r]->connect(ranks[(r + n - 1) % n].get(), ranks[(r + 1) % n].get(), stop);
  return ranks;
}

}  // namespace

int main() {
  try {
    const std::vector<unsigned> start = initial();
    std::atomic<bool> stop{false};
    FirstFailure failure;
    std::vector<std::unique_ptr<halo::Rank>> ranks = split(start, &stop);

    std::vector<std::thread> drivers;
    for (auto& r : ranks)
      drivers.emplace_back(drive, std::ref(*r), std::ref(stop), std::ref(failure));
    for (std::thread& t : drivers) t.join();
    if (!failure.what().empty()) {
      std::printf("ERROR %s\n", failure.what().c_str());
      return 1;
    }

    const std::vector<unsigned> want = reference(start);
    int bad = 0;
    size_t i = 0;
    for (const auto& r : ranks)
      for (unsigned v : r->download(kSteps)) bad += v != want[i++];
    if (bad)
      std::printf("WRONG %d\n", bad);
    else
      std::printf("DONE\n");
    return 0;
  } catch (const halo::Failure& f) {
    std::printf("ERROR %s\n", f.what());
    return 1;
  }
}

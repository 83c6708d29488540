// Seed mapping of sequencing reads: a reader thread fills chunks, this thread
// sends them out and a writer thread takes the results; chunks with more hits
// than there was room for go round once more.
#include "mapper.h"
#include "queue.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <variant>

namespace {

using seeds::Chunk;

constexpr int kChunks = 36;
constexpr int kPool = 9;
constexpr int kStreams = 3;
constexpr int kPasses = 3;
constexpr long long kMapNs = 6000000;

struct Pending {};
struct Mapped {
  unsigned hits;
  unsigned long long sum;
};
using Result = std::variant<Pending, Mapped>;

unsigned read_at(int chunk, unsigned i) { return chunk * 1000003u + i * 97u + (i >> 4); }
unsigned density(int chunk) { return chunk % 7 == 3 ? 2u : 16u; }

Mapped expected(int chunk) {
  Mapped m{0, 0};
  for (unsigned i = 0; i < seeds::kReads; ++i) {
    const unsigned s = seeds::seed_of(read_at(chunk, i));
    if (s % density(chunk)) continue;
    ++m.hits;
    m.sum += s ^ i;
  }
  return m;
}

class Run {
 public:
  Run(seeds::Mapper& mapper, std::vector<std::unique_ptr<Chunk>>& pool)
      : mapper_(mapper), results_(kChunks) {
    for (auto& c : pool) free_.push(c.get());
  }

  double go() {
    const auto t0 = std::chrono::steady_clock::now();
    std::thread reader([this] { read(); });
    std::thread writer([this] { write(); });
    try {
      while (auto c = work_.pop()) {
        mapper_.submit(**c, kMapNs);
        ++submissions_;
        flight_.push(*c);
      }
    } catch (const seeds::Fault& f) {
      fail(f);
    }
    flight_.close();
    writer.join();
    reader.join();
    const auto t1 = std::chrono::steady_clock::now();
    if (failure_) throw *failure_;
    return std::chrono::duration<double, std::milli>(t1 - t0).count();
  }

  int submissions() const { return submissions_; }
  int retries() const { return retries_; }
  int mistakes() const {
    int bad = 0;
    for (int id = 0; id < kChunks; ++id) {
      const Mapped want = expected(id);
      const Mapped* got = std::get_if<Mapped>(&results_[id]);
      bad += !got || got->hits != want.hits || got->sum != want.sum;
    }
    return bad;
  }

 private:
  void read() {
    for (int id = 0; id < kChunks; ++id) {
      std::optional<Chunk*> got = free_.pop();
      if (!got) return;
      Chunk& c = **got;
      c.id = id;
      c.one_in = density(id);
      c.capacity = seeds::kDefaultCapacity;
      for (unsigned i = 0; i < seeds::kReads; ++i) c.reads[i] = read_at(id, i);
      work_.push(&c);
    }
  }

  void write() {
    int finished = 0;
    while (auto got = flight_.pop()) {
      Chunk& c = **got;
      const cudaError_t e = cudaEventSynchronize(c.mapped);
      if (e != cudaSuccess) {
        fail(seeds::Fault(e));
        return;
      }
      if (c.status->overflow) {
        c.capacity = std::min(seeds::kReads, (c.status->hits + 255u) / 256u * 256u);
        ++retries_;
        work_.push(&c);
        continue;
      }
      Mapped m{c.status->hits, 0};
      for (unsigned k = 0; k < m.hits; ++k) m.sum += c.hits[k];
      results_[c.id] = m;
      free_.push(&c);
      if (++finished == kChunks) work_.close();
    }
  }

  void fail(const seeds::Fault& f) {
    {
      std::lock_guard<std::mutex> lock(failure_mutex_);
      if (!failure_) failure_ = f;
    }
    work_.close();
    free_.close();
  }

  seeds::Mapper& mapper_;
  Queue<Chunk*> free_, work_, flight_;
  std::vector<Result> results_;
  int submissions_ = 0;
  int retries_ = 0;
  std::mutex failure_mutex_;
  std::optional<seeds::Fault> failure_;
};

}  // namespace

int main() {
  try {
    std::vector<std::unique_ptr<Chunk>> pool;
    for (int i = 0; i < kPool; ++i) pool.push_back(std::make_unique<Chunk>());
    seeds::Mapper mapper(kStreams);

    int bad = 0;
    double best = 1e30;
    for (int pass = 0; pass < kPasses; ++pass) {
      Run run(mapper, pool);
      const double ms = run.go();
      const double ideal = run.submissions() * kMapNs * 1e-6 / mapper.streams();
      best = std::min(best, ms / ideal);
      bad += run.mistakes() + (run.retries() == 0);
    }
    std::printf("%.2f of the ideal time\n", best);
    if (bad)
      std::printf("WRONG %d\n", bad);
    else if (best > 1.5)
      std::printf("SLOW %.2f\n", best);
    else
      std::printf("DONE\n");
    return 0;
  } catch (const seeds::Fault& f) {
    std::printf("ERROR %s\n", f.what());
    return 1;
  }
}

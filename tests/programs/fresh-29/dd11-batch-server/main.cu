// Load generator: several clients keep a few requests in the air each, and one
// of them sends malformed requests now and then.
#include "server.h"

#include <atomic>
#include <cstdio>
#include <deque>
#include <mutex>
#include <stdexcept>

namespace {

constexpr int kClients = 5;
constexpr int kRequests = 36;
constexpr size_t kInFlight = 6;

struct Tally {
  std::atomic<int> wrong{0};
  std::atomic<int> scored{0};
  std::atomic<int> refused{0};
  std::mutex mutex;
  std::string failure;
};

std::vector<unsigned> features_of(int client, int request) {
  std::vector<unsigned> f(serving::kFeatures);
  for (int i = 0; i < serving::kFeatures; ++i)
    f[i] = client * 1000003u + request * 8191u + i * 31u;
  return f;
}

struct Pending {
  std::future<serving::Outcome> answer;
  unsigned want;
  bool malformed;
};

void settle(Pending p, Tally& tally) {
  const serving::Outcome o = p.answer.get();
  if (const auto* score = std::get_if<serving::Score>(&o)) {
    ++tally.scored;
    if (p.malformed || score->value != p.want) ++tally.wrong;
    return;
  }
  ++tally.refused;
  if (!p.malformed) {
    std::lock_guard<std::mutex> lock(tally.mutex);
    tally.failure = std::get<serving::Refusal>(o).reason;
  }
}

void client(serving::Server& server, int id, Tally& tally) {
  std::deque<Pending> air;
  for (int r = 0; r < kRequests; ++r) {
    std::vector<unsigned> f = features_of(id, r);
    Pending p;
    p.want = serving::reference_score(f);
    p.malformed = id == 2 && r % 9 == 4;
    if (p.malformed) f.resize(7);
    p.answer = server.submit(std::move(f));
    air.push_back(std::move(p));
    if (air.size() >= kInFlight) {
      settle(std::move(air.front()), tally);
      air.pop_front();
    }
  }
  while (!air.empty()) {
    settle(std::move(air.front()), tally);
    air.pop_front();
  }
}

}  // namespace

int main() {
  Tally tally;
  std::future<serving::Outcome> late;
  unsigned late_want = 0;
  try {
    serving::Server server(serving::Config{});
    std::vector<std::thread> clients;
    for (int c = 0; c < kClients; ++c)
      clients.emplace_back(client, std::ref(server), c, std::ref(tally));
    for (std::thread& t : clients) t.join();
    std::vector<unsigned> f = features_of(99, 1);
    late_want = serving::reference_score(f);
    late = server.submit(std::move(f));
  } catch (const std::runtime_error& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
  }
  settle(Pending{std::move(late), late_want, false}, tally);

  if (!tally.failure.empty()) {
    std::printf("ERROR %s\n", tally.failure.c_str());
    return 1;
  }
  int bad = tally.wrong;
  bad += tally.scored + tally.refused != kClients * kRequests + 1;
  bad += tally.refused != 4;
  if (bad)
    std::printf("WRONG %d\n", bad);
  else
    std::printf("DONE\n");
  return 0;
}

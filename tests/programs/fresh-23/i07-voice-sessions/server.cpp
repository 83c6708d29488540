// Streaming speech recognition: microphones post samples, one scheduler feeds the decoder.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <thread>

#include "resident_decoder.h"
#include "session_table.h"

namespace {

constexpr int kModel = 1 << 20;
constexpr int kActive = 1 << 14;
constexpr int kMicrophones = 2;
constexpr int kUtterances = 3;
constexpr int kSamples = 24;

enum class Kind { Decode, Close };

struct Request {
  Kind kind;
  int session;
  int sample;
  std::promise<long long> reply;
};

class Inbox {
 public:
  void push(Request r) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      items_.push_back(std::move(r));
    }
    ready_.notify_one();
  }
  void close() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
    }
    ready_.notify_one();
  }
  bool pop(Request& out) {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return false;
    out = std::move(items_.front());
    items_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Request> items_;
  bool closed_ = false;
};

class Server {
 public:
  enum class State { Cold, Serving, Draining, Stopped };

  explicit Server(std::unique_ptr<RetentionPolicy> policy) : policy_(std::move(policy)) {}

  void open(int id, const std::vector<int>& model) { table_.open(id, model); }

  void serve(Inbox& inbox) {
    advance(State::Serving);
    decoder_.start();
    Request request;
    while (inbox.pop(request)) {
      ++tick_;
      handle(request);
      if (tick_ % 16 == 0) evicted_ += table_.evict(*policy_, tick_);
    }
    advance(State::Draining);
    decoder_.stop();
    table_.reclaim();
    advance(State::Stopped);
  }

  State state() const { return state_; }
  std::size_t evicted() const { return evicted_; }

 private:
  void handle(Request& request) {
    Session* session = table_.find(request.session);
    if (!session) {
      request.reply.set_value(-1);
      return;
    }
    session->last_tick = tick_;
    if (request.kind == Kind::Close) {
      session->closed = true;
      request.reply.set_value(0);
      return;
    }
    request.reply.set_value(decoder_.decode(session->weights.get(), kActive, session->state.get(), request.sample));
  }

  void advance(State next) { state_ = next; }

  std::unique_ptr<RetentionPolicy> policy_;
  SessionTable table_;
  ResidentDecoder decoder_;
  State state_ = State::Cold;
  long tick_ = 0;
  std::size_t evicted_ = 0;
};

int session_id(int microphone, int utterance) { return 10 * microphone + utterance; }

std::vector<int> model_of(int id) {
  std::vector<int> model(kModel);
  for (int i = 0; i < kModel; ++i) model[i] = (i * 13 + id) % 7;
  return model;
}

int speak(Inbox& inbox, int microphone) {
  int wrong = 0;
  auto ask = [&inbox](Kind kind, int session, int sample) {
    Request request{kind, session, sample, {}};
    std::future<long long> reply = request.reply.get_future();
    inbox.push(std::move(request));
    return reply.get();
  };
  for (int u = 0; u < kUtterances; ++u) {
    const int id = session_id(microphone, u);
    const std::vector<int> model = model_of(id);
    long long sum = 0, state = 0;
    for (int i = 0; i < kActive; ++i) sum += model[i];
    for (int s = 0; s < kSamples; ++s) {
      const long long want = sum * (s + 1) + state;
      state = want % 1009;
      if (ask(Kind::Decode, id, s + 1) != want) ++wrong;
    }
    if (ask(Kind::Close, id, 0) != 0) ++wrong;
  }
  return wrong;
}

}  // namespace

int main() {
  try {
    int wrong = 0;
    {
      Server server(std::make_unique<LingerPolicy>(8));
      for (int m = 0; m < kMicrophones; ++m)
        for (int u = 0; u < kUtterances; ++u) server.open(session_id(m, u), model_of(session_id(m, u)));

      Inbox inbox;
      std::future<void> scheduler = std::async(std::launch::async, [&] { server.serve(inbox); });
      std::vector<std::future<int>> microphones;
      for (int m = 0; m < kMicrophones; ++m)
        microphones.push_back(std::async(std::launch::async, speak, std::ref(inbox), m));
      for (auto& m : microphones) wrong += m.get();
      inbox.close();
      scheduler.get();
      if (server.state() != Server::State::Stopped || server.evicted() < 2) ++wrong;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
  } catch (const std::exception& e) {
    std::printf("ERROR %s\n", e.what());
  }
  return 0;
}

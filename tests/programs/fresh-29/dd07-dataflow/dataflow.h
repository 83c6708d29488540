#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

// A small sequential-task-flow runtime. Tasks are submitted in program order
// by one thread and declare what they read and write; the runtime spreads them
// over streams.
namespace flow {

struct Error : std::runtime_error {
  explicit Error(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
};

inline void enforce(cudaError_t c) {
  if (c != cudaSuccess) throw Error(c);
}

using Moment = std::shared_ptr<CUevent_st>;

class Core : public std::enable_shared_from_this<Core> {
 public:
  explicit Core(int width);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  cudaStream_t next_stream();
  Moment mark(cudaStream_t s);
  void after(cudaStream_t s, const Moment& m);
  void* allocate(size_t bytes, Moment* ready);
  void reclaim(void* p, const std::vector<Moment>& users);
  void settle();
  size_t events() const { return created_; }

 private:
  std::vector<cudaStream_t> streams_;
  cudaStream_t custodian_ = nullptr;
  std::vector<cudaEvent_t> idle_;
  size_t turn_ = 0;
  size_t created_ = 0;
};

class State {
 public:
  State(std::shared_ptr<Core> core, size_t bytes);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void before_read(cudaStream_t s);
  void before_write(cudaStream_t s);
  void read_done(const Moment& m);
  void write_done(const Moment& m);
  void* data() const { return data_; }
  Core& core() const { return *core_; }

 private:
  void prune();

  std::shared_ptr<Core> core_;
  void* data_ = nullptr;
  Moment last_write_;
  std::vector<Moment> readers_;
};

template <class T>
struct In {
  std::shared_ptr<State> state;
  using pointer = const T*;
  pointer get() const { return static_cast<pointer>(state->data()); }
  void before(cudaStream_t s) const { state->before_read(s); }
  void done(const Moment& m) const { state->read_done(m); }
};

template <class T>
struct Out {
  std::shared_ptr<State> state;
  using pointer = T*;
  pointer get() const { return static_cast<pointer>(state->data()); }
  void before(cudaStream_t s) const { state->before_write(s); }
  void done(const Moment& m) const { state->write_done(m); }
};

template <class T>
class Logical {
 public:
  Logical() = default;
  Logical(std::shared_ptr<Core> core, size_t n)
      : state_(std::make_shared<State>(std::move(core), n * sizeof(T))), n_(n) {}
  In<T> in() const { return In<T>{state_}; }
  Out<T> out() const { return Out<T>{state_}; }
  size_t size() const { return n_; }

 private:
  std::shared_ptr<State> state_;
  size_t n_ = 0;
};

template <class... Access>
class Task {
 public:
  Task(Core& core, Access... access) : core_(core), access_(std::move(access)...) {}

  template <class Body>
  void operator->*(Body&& body) {
    const cudaStream_t s = core_.next_stream();
    std::apply(
        [&](Access&... a) {
          (a.before(s), ...);
          body(s, a.get()...);
          enforce(cudaGetLastError());
          const Moment end = core_.mark(s);
          (a.done(end), ...);
        },
        access_);
  }

 private:
  Core& core_;
  std::tuple<Access...> access_;
};

class Context {
 public:
  explicit Context(int width) : core_(std::make_shared<Core>(width)) {}

  template <class T>
  Logical<T> make(size_t n) {
    return Logical<T>(core_, n);
  }
  template <class... Access>
  Task<Access...> task(Access... access) {
    return Task<Access...>(*core_, std::move(access)...);
  }
  template <class T>
  void fetch(const Logical<T>& what, T* pinned) {
    const size_t bytes = what.size() * sizeof(T);
    task(what.in())->*[&](cudaStream_t s, const T* p) {
      enforce(cudaMemcpyAsync(pinned, p, bytes, cudaMemcpyDeviceToHost, s));
    };
  }
  void settle() { core_->settle(); }
  size_t events() const { return core_->events(); }

 private:
  std::shared_ptr<Core> core_;
};

}  // namespace flow

#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#define CU_OK(call)                                                                   \
  do {                                                                                \
    const cudaError_t status_ = (call);                                               \
    if (status_ != cudaSuccess) throw std::runtime_error(cudaGetErrorName(status_));  \
  } while (0)

template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t n) : size_(n) { CU_OK(cudaMalloc(&data_, n * sizeof(T))); }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  void assign(const std::vector<T>& host) {
    CU_OK(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  T* get() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// One speaker: an adapted acoustic model and the decoder's running state.
struct Session {
  Session(int id_, const std::vector<int>& model) : id(id_), weights(model.size()), state(1) {
    weights.assign(model);
    state.assign({0});
  }

  int id;
  long last_tick = 0;
  bool closed = false;
  DeviceBuffer<int> weights;
  DeviceBuffer<long long> state;
};

class RetentionPolicy {
 public:
  virtual ~RetentionPolicy() = default;
  virtual bool keep(const Session& session, long now) const = 0;
};

// Closed sessions stay for a while, for late packets.
class LingerPolicy final : public RetentionPolicy {
 public:
  explicit LingerPolicy(long ticks) : ticks_(ticks) {}
  bool keep(const Session& s, long now) const override { return !s.closed || now - s.last_tick < ticks_; }

 private:
  long ticks_;
};

class SessionTable {
 public:
  Session& open(int id, const std::vector<int>& model) {
    auto& place = sessions_[id];
    place = std::make_unique<Session>(id, model);
    return *place;
  }

  Session* find(int id) const {
    const auto it = sessions_.find(id);
    return it == sessions_.end() ? nullptr : it->second.get();
  }

  std::size_t evict(const RetentionPolicy& policy, long now) {
    std::size_t evicted = 0;
    for (auto it = sessions_.begin(); it != sessions_.end();) {
      if (policy.keep(*it->second, now)) {
        ++it;
        continue;
      }
      it = sessions_.erase(it);
      ++evicted;
    }
    return evicted;
  }

  std::size_t size() const { return sessions_.size(); }

 private:
  std::unordered_map<int, std::unique_ptr<Session>> sessions_;
};

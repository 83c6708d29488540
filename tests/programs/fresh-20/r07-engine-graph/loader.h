#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "engine.h"

namespace engine {
/// Reads tensors from storage and brings them onto the device with a few threads.
class WeightLoader {
 public:
  explicit WeightLoader(const EngineOptions& options) : options_(options) {
    for (int i = 0; i < options.loader_threads; ++i)
      threads_.emplace_back(&WeightLoader::work, this);
    std::unique_lock<std::mutex> guard(mutex_);
    opened_.wait(guard, [&] { return ready_ == options_.loader_threads; });
  }
  ~WeightLoader() {
    close();
    for (std::thread& t : threads_) t.join();
  }
  WeightsFuture request(const LayerSpec& spec) {
    Item item{spec, {}};
    WeightsFuture result = item.promise.get_future().share();
    std::lock_guard<std::mutex> guard(mutex_);
    items_.push_back(std::move(item));
    wake_.notify_one();
    return result;
  }
 private:
  struct Item {
    LayerSpec spec;
    std::promise<std::shared_ptr<Weights>> promise;
  };

  /// The upload stream and staging memory of one loader thread.
  struct Channel {
    cudaStream_t stream = nullptr;
    void* staging = nullptr;
    Channel() {
      ENGINE_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      ENGINE_CUDA(cudaMallocHost(&staging, sizeof(float) * kWidth * kWidth));
    }
    ~Channel() {
      cudaFreeHost(staging);
      cudaStreamDestroy(stream);
    }
  };
  void work() {
    Channel channel;
    report_open();
    for (;;) {
      Item item;
      {
        std::unique_lock<std::mutex> guard(mutex_);
        wake_.wait(guard, [&] { return closed_ || !items_.empty(); });
        if (items_.empty()) return;
        item = std::move(items_.front());
        items_.pop_front();
      }
      try {
        item.promise.set_value(fetch(item.spec, channel));
      } catch (...) {
        item.promise.set_exception(std::current_exception());
      }
    }
  }
  void report_open() {
    std::lock_guard<std::mutex> guard(mutex_);
    ++ready_;
    opened_.notify_all();
  }
  void close() {
    std::lock_guard<std::mutex> guard(mutex_);
    closed_ = true;
    wake_.notify_all();
  }
  std::shared_ptr<Weights> fetch(const LayerSpec& spec, Channel& channel) {
    std::this_thread::sleep_for(std::chrono::milliseconds(options_.storage_delay_ms));
    auto weights = std::make_shared<Weights>();
    weights->dtype = spec.dtype;
    ENGINE_WITH_DTYPE(spec.dtype, {
      weight_t* staged = static_cast<weight_t*>(channel.staging);
      for (int i = 0; i < kWidth * kWidth; ++i)
        staged[i] = static_cast<weight_t>(weight_value(spec.seed, i / kWidth, i % kWidth));
      const size_t bytes = sizeof(weight_t) * kWidth * kWidth;
      ENGINE_CUDA(cudaMalloc(&weights->data, bytes));
      const cudaStream_t stream = channel.stream;
      ENGINE_CUDA(cudaMemcpyAsync(weights->data, staged, bytes, cudaMemcpyHostToDevice, stream));
      ENGINE_CUDA(cudaStreamSynchronize(stream));
    });
    return weights;
  }
  EngineOptions options_;
  std::mutex mutex_;
  std::condition_variable wake_, opened_;
  std::deque<Item> items_;
  int ready_ = 0;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};
}  // namespace engine

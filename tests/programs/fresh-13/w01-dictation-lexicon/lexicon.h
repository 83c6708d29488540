#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "check.h"

// Word penalties for a dictation topic. Topics are compiled on demand by a
// background thread and live in one of two device slots.
class LexiconLoader {
 public:
  explicit LexiconLoader(int words) : words_(words) {
    CU_OK(cudaMallocHost(&host_, bytes()));
    CU_OK(cudaMalloc(&dev_, 2 * bytes()));
  }
  LexiconLoader(const LexiconLoader&) = delete;
  LexiconLoader& operator=(const LexiconLoader&) = delete;
  ~LexiconLoader() {
    if (worker_.joinable()) worker_.join();
    cudaFree(dev_);
    cudaFreeHost(host_);
  }

  static int penalty(int topic, int word) { return (word * 7 + topic * 131) % 97; }

  void load_now(int topic) {
    compile(topic);
    upload(topic);
    publish(topic);
  }

  void load_later(int topic) {
    if (worker_.joinable()) worker_.join();
    worker_ = std::thread([this, topic] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));  // parse the ARPA file
      load_now(topic);
    });
  }

  void wait_for(int topic) {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait(lock, [&] { return topic_ >= topic; });
  }

  const int* device(int topic) const { return dev_ + (topic & 1) * words_; }

 private:
  size_t bytes() const { return sizeof(int) * words_; }

  void compile(int topic) {
    for (int w = 0; w < words_; ++w) host_[w] = penalty(topic, w);
  }

  void upload(int topic) {
    int* dst = dev_ + (topic & 1) * words_;
    CU_OK(cudaMemcpy(dst, host_, bytes(), cudaMemcpyHostToDevice));
  }

  void publish(int topic) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      topic_ = topic;
    }
    ready_.notify_all();
  }

  int words_;
  int* host_ = nullptr;
  int* dev_ = nullptr;
  int topic_ = -1;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::thread worker_;
};

#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

// Bounds how far the encoder may run ahead of the muxer.
class CreditGate {
 public:
  explicit CreditGate(int credits) : credits_(credits) {}

  void take() {
    std::unique_lock<std::mutex> lock(mutex_);
    granted_.wait(lock, [this] { return credits_ > 0; });
    --credits_;
  }

  void give(int n) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      credits_ += n;
    }
    granted_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable granted_;
  int credits_;
};

template <class T>
class Channel {
 public:
  void push(T item) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      items_.push_back(std::move(item));
    }
    ready_.notify_one();
  }

  T pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait(lock, [this] { return !items_.empty(); });
    T item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<T> items_;
};

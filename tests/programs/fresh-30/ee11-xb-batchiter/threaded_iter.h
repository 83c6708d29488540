/*!
 * \brief Iterator that is fed by a thread of its own; cells are recycled.
 */
#ifndef XB_THREADED_ITER_H_
#define XB_THREADED_ITER_H_

#include "base.h"

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

namespace xb {

template <typename DType>
class ThreadedIter {
 public:
  /*! \brief Fills a cell; returns false when there is nothing left. */
  using Next_t = std::function<bool(DType*)>;

  explicit ThreadedIter(std::vector<std::unique_ptr<DType>> cells) : cells_{std::move(cells)} {
    XB_CHECK(!cells_.empty());
    for (auto& cell : cells_) {
      free_.push(cell.get());
    }
  }

  ~ThreadedIter() { Destroy(); }

  ThreadedIter(ThreadedIter const&) = delete;
  ThreadedIter& operator=(ThreadedIter const&) = delete;

  void Init(Next_t next) {
    XB_CHECK(!producer_.joinable());
    producer_ = std::thread{[this, next = std::move(next)] { this->Produce(next); }};
  }

  /*! \brief Waits for the next cell; false at the end of the data. */
  bool Next(DType** out) {
    std::unique_lock<std::mutex> lock{mutex_};
    consumer_cond_.wait(lock, [this] { return !ready_.empty() || end_ || error_; });
    if (!ready_.empty()) {
      *out = ready_.front();
      ready_.pop();
      ++lent_;
      return true;
    }
    if (error_) {
      std::rethrow_exception(error_);
    }
    return false;
  }

  /*! \brief Gives a cell back. May be called by any thread. */
  void Recycle(DType* cell) {
    std::lock_guard<std::mutex> lock{mutex_};
    free_.push(cell);
    --lent_;
    producer_cond_.notify_one();
    if (lent_ == 0) {
      all_back_cond_.notify_all();
    }
  }

  /*! \brief Stops the thread and waits until all cells were given back. */
  void Destroy() {
    {
      std::lock_guard<std::mutex> lock{mutex_};
      stop_ = true;
      producer_cond_.notify_all();
    }
    if (producer_.joinable()) {
      producer_.join();
    }
    std::unique_lock<std::mutex> lock{mutex_};
    all_back_cond_.wait(lock, [this] { return lent_ == 0; });
  }

 private:
  void Produce(Next_t const& next) {
    for (;;) {
      DType* cell = nullptr;
      {
        std::unique_lock<std::mutex> lock{mutex_};
        producer_cond_.wait(lock, [this] { return !free_.empty() || stop_; });
        if (stop_) {
          return;
        }
        cell = free_.front();
        free_.pop();
      }
      bool more = false;
      std::exception_ptr error;
      try {
        more = next(cell);
      } catch (...) {
        error = std::current_exception();
      }
      std::lock_guard<std::mutex> lock{mutex_};
      if (more) {
        ready_.push(cell);
      } else {
        free_.push(cell);
        end_ = true;
        error_ = error;
      }
      consumer_cond_.notify_all();
      if (!more) {
        return;
      }
    }
  }

  std::vector<std::unique_ptr<DType>> cells_;
  std::mutex mutex_;
  std::condition_variable producer_cond_;
  std::condition_variable consumer_cond_;
  std::condition_variable all_back_cond_;
  std::queue<DType*> free_;
  std::queue<DType*> ready_;
  std::size_t lent_{0};
  bool stop_{false};
  bool end_{false};
  std::exception_ptr error_;
  std::thread producer_;
};

}  // namespace xb

#endif  // XB_THREADED_ITER_H_

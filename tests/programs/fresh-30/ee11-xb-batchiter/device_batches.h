/*!
 * \brief Pages of a data set, staged in pinned memory and sent to the device batch by batch.
 */
#ifndef XB_DEVICE_BATCHES_H_
#define XB_DEVICE_BATCHES_H_

#include "threaded_iter.h"

namespace xb {

/*! \brief One page, on both sides. */
class StagedPage {
 public:
  explicit StagedPage(std::size_t capacity);
  ~StagedPage();
  StagedPage(StagedPage const&) = delete;
  StagedPage& operator=(StagedPage const&) = delete;

  float* HostValues() { return host_; }
  float* DeviceValues() { return device_; }
  std::size_t Capacity() const { return capacity_; }
  std::size_t Size() const { return size_; }
  void Resize(std::size_t size) {
    XB_CHECK(size <= capacity_);
    size_ = size;
  }

 private:
  float* host_{nullptr};
  float* device_{nullptr};
  std::size_t capacity_;
  std::size_t size_{0};
};

/*! \brief What the page source looks like to the loader. */
class PageSource {
 public:
  virtual ~PageSource() = default;
  /*! \brief Runs in the thread of the loader. Returns the number of values written, 0 at the end. */
  virtual std::size_t Read(float* values, std::size_t capacity) = 0;
};

struct BatchParam {
  std::size_t page_size{std::size_t{1} << 16};
  std::size_t n_prefetch{3};
};

/*!
 * \brief Batches in device memory.
 *
 *   DeviceBatch batch;
 *   while (batches.Next(stream, &batch)) {
 *     kernel<<<..., stream>>>(batch.values, batch.size);
 *     batches.Release(stream, &batch);
 *   }
 *
 * Next enqueues the transfer on the stream. Release is asynchronous as well: the batch may be in
 * use by what is enqueued on the stream so far. Every batch has to be released.
 */
struct DeviceBatch {
  float const* values{nullptr};
  std::size_t size{0};
  StagedPage* page{nullptr};
};

class DeviceBatches {
 public:
  DeviceBatches(std::unique_ptr<PageSource> source, BatchParam const& param);
  ~DeviceBatches();

  bool Next(cudaStream_t stream, DeviceBatch* out);
  void Release(cudaStream_t stream, DeviceBatch* batch);

 private:
  static std::vector<std::unique_ptr<StagedPage>> MakePages(BatchParam const& param);
  static void CUDART_CB OnReleased(void* arg);

  std::unique_ptr<PageSource> source_;
  ThreadedIter<StagedPage> iter_;
};

}  // namespace xb

#endif  // XB_DEVICE_BATCHES_H_

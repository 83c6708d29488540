#pragma once

#include <cuda_runtime.h>

namespace rescore::detail {

enum class op : int { leave, dot_rows };

struct request {
  op what;
  int rows, width;
  float const* in;
  float const* weights;
  float* out;
};

/// In page-locked memory that host and device see.
struct mailbox {
  request order;
  unsigned posted;
  unsigned finished;
};

/// A kernel that stays on the device and takes its work from a mailbox, which spares the
/// launch for every small batch.
class resident {
 public:
  resident();
  resident(resident const&) = delete;
  ~resident();

  /// Puts the kernel on the device; nothing to do when it is there.
  void enter();
  /// Lets the kernel end and waits for it.
  void leave();
  bool on_device() const { return on_device_; }

  /// Hands over one request and returns when it is done.
  void call(request const& r);

 private:
  unsigned post(request const& r);
  cudaStream_t stream_{};
  mailbox* box_{};
  mailbox* box_on_device_{};
  bool on_device_ = false;
};

}  // namespace rescore::detail

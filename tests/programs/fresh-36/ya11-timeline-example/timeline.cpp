#include "timeline.h"

Timeline::Timeline() {
  check(cuMemAlloc(&counter_, sizeof(unsigned)));
  check(cuMemsetD32(counter_, 0, 1));
}

Timeline::~Timeline() { cuMemFree(counter_); }

void Timeline::wait(CUstream stream, unsigned value) const {
  check(cuStreamWaitValue32(stream, counter_, value, CU_STREAM_WAIT_VALUE_GEQ));
}

void Timeline::signal(CUstream stream, unsigned value) const {
  check(cuStreamWriteValue32(stream, counter_, value, CU_STREAM_WRITE_VALUE_DEFAULT));
}

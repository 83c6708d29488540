#include "chorus.hpp"

namespace chorus {

Phase::Phase(int ranks) {
  for (int i = 0; i < ranks; ++i) {
    events_.push_back(nullptr);
    CHORUS_TRY(cudaEventCreateWithFlags(&events_.back(), cudaEventDisableTiming));
  }
}

Phase::~Phase() {
  for (cudaEvent_t e : events_) cudaEventDestroy(e);
}

void Phase::mark(int rank, cudaStream_t stream) { CHORUS_TRY(cudaEventRecord(events_.at(rank), stream)); }

void Phase::follow(int rank, cudaStream_t stream, int other) {
  if (other != rank) CHORUS_TRY(cudaStreamWaitEvent(stream, events_.at(other), 0));
}

void Phase::follow_all(int rank, cudaStream_t stream) {
  for (int other = 0; other < static_cast<int>(events_.size()); ++other) follow(rank, stream, other);
}

void Phase::meet(const Members& members) {
  const int n = static_cast<int>(members.size());
  for (int r = 0; r < n; ++r) mark(r, members[r].stream);
  for (int r = 0; r < n; ++r) follow_all(r, members[r].stream);
}

}  // namespace chorus

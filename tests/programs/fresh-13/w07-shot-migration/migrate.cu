// Reverse-time migration of a small line: one stream models the source
// wavefields, a second one correlates them into the image.
#include <memory>
#include <vector>

#include "physics.cuh"
#include "stream_buf.cuh"

using namespace seis;

namespace {

struct Survey {
  int shots = 8;
  int cells = 1 << 16;
  int correlate_us = 25000;
};

struct Modelling;
struct Imaging;

struct EventDeleter {
  void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
};
using Event = std::unique_ptr<CUevent_st, EventDeleter>;

Event make_event() {
  cudaEvent_t e;
  SEIS_CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  return Event(e);
}

class Migration {
 public:
  explicit Migration(const Survey& s) : survey_(s), modelled_(make_event()) {
    SEIS_CHECK(cudaMalloc(&image_, s.cells * sizeof(float)));
    SEIS_CHECK(cudaMemsetAsync(image_, 0, s.cells * sizeof(float), imaging_));
  }
  ~Migration() { cudaFree(image_); }

  void shot(int id) {
    const int grid = survey_.cells / 256;
    StreamBuf<float> wave(survey_.cells, modelling_);
    propagate<4><<<grid, 256, 0, modelling_>>>(wave.data(), id, survey_.cells);
    SEIS_CHECK(cudaGetLastError());
    SEIS_CHECK(cudaEventRecord(modelled_.get(), modelling_));
    SEIS_CHECK(cudaStreamWaitEvent(imaging_, modelled_.get(), 0));
    correlate<<<grid, 256, 0, imaging_>>>(wave.data(), image_, survey_.cells, survey_.correlate_us);
    SEIS_CHECK(cudaGetLastError());
  }

  std::vector<float> stack() {
    std::vector<float> out(survey_.cells);
    SEIS_CHECK(cudaStreamSynchronize(imaging_));
    SEIS_CHECK(cudaMemcpy(out.data(), image_, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return out;
  }

 private:
  Survey survey_;
  Stream<Modelling> modelling_;
  Stream<Imaging> imaging_;
  Event modelled_;
  float* image_ = nullptr;
};

}  // namespace

int main() {
  Survey survey;
  Migration rtm(survey);
  for (int s = 0; s < survey.shots; ++s) rtm.shot(s);
  std::vector<float> image = rtm.stack();

  int wrong = 0;
  for (int c = 0; c < survey.cells; ++c) {
    float want = 0.0f;
    for (int s = 0; s < survey.shots; ++s) want += wave_at(s, c) + 4.0f;
    wrong += image[c] != want;
  }
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}

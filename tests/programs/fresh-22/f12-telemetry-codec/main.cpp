#include "bench.h"

#include <cstdio>
#include <memory>

namespace {

struct HostFree {
  void operator()(std::int32_t* p) const noexcept { cudaFreeHost(p); }
};

std::unique_ptr<std::int32_t[], HostFree> make_frame(std::size_t samples) {
  std::int32_t* p = nullptr;
  TM_CHECK(cudaMallocHost(reinterpret_cast<void**>(&p), samples * sizeof(std::int32_t)));
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < samples; ++i) {
    state = state * 1664525u + 1013904223u;
    p[i] = static_cast<std::int32_t>(state >> 16);
  }
  return std::unique_ptr<std::int32_t[], HostFree>(p);
}

int mismatches(const telemetry::Codec& codec, const std::int32_t* frame, const telemetry::CodecConfig& cfg) {
  int wrong = 0;
  for (int c = 0; c < telemetry::kClasses; ++c) {
    const std::int32_t* samples = frame + static_cast<std::size_t>(c) * cfg.samples_per_class;
    const auto coded = codec.download(static_cast<telemetry::ChannelClass>(c));
    for (int i = 0; i < cfg.samples_per_class; ++i) {
      const std::int32_t delta = samples[i] - (i == 0 ? 0 : samples[i - 1]);
      wrong += coded[i] != ((delta << 1) ^ (delta >> 31));
    }
  }
  return wrong;
}

}  // namespace

int main() {
  TM_CHECK(cudaSetDevice(0));
  const telemetry::CodecConfig cfg;
  telemetry::Codec codec(cfg);
  const auto frame = make_frame(codec.frame_samples());

  bench::Case encode;
  encode.name = "encode/frame";
  encode.prepare = [&](cudaStream_t s) { codec.load(frame.get(), s); };
  encode.body = [&](cudaStream_t s) { codec.encode(s); };
  encode.complete = [&](cudaStream_t s) { codec.finish(s); };

  bench::Runner runner;
  const bench::Report report = runner.run(encode);
  const int wrong = mismatches(codec, frame.get(), cfg);

  const double megabytes = 1e-6 * sizeof(std::int32_t) * codec.frame_samples() * report.iterations;
  std::printf("%s: %.3f ms per frame, %.1f MB/s\n", report.name.c_str(), report.device_ms / report.iterations,
              megabytes / (report.device_ms * 1e-3));

  const double ratio = report.wall_ms / report.device_ms;
  if (wrong != 0) {
    std::printf("WRONG %d\n", wrong);
  } else if (ratio > 1.5) {
    std::printf("SLOW %.2f\n", ratio);
  } else {
    std::printf("DONE\n");
  }
  return 0;
}

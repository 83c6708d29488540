// Camera recorder: pictures are encoded in order, a muxer thread writes one GOP after the other.
#include <cstdio>
#include <thread>
#include <vector>

#include "encoder.h"

namespace {

struct Written {
  int frames = 0;
  unsigned long long bytes_sum = 0;
  unsigned long long weight = 0;
  float milliseconds = 0;
};

class Muxer {
 public:
  enum class State { Collecting, Sealing, Finished };

  Muxer(const VideoFormat& format, Encoder& encoder, CreditGate& gate, Channel<Packet>& packets)
      : format_(format), encoder_(encoder), gate_(gate), packets_(packets) {}

  void run() {
    while (state_ != State::Finished) {
      switch (state_) {
        case State::Collecting: collect(); break;
        case State::Sealing: seal(); break;
        case State::Finished: break;
      }
    }
  }

  const std::vector<Written>& file() const { return file_; }

 private:
  void collect() {
    const Packet packet = packets_.pop();
    open_.push_back(packet);
    if (packet.closes_gop) state_ = State::Sealing;
  }

  void seal() {
    Written gop;
    gop.weight = encoder_.weigh(open_.front().gop, &gop.milliseconds);
    for (const Packet& packet : open_) {
      ++gop.frames;
      for (int i = 0; i < format_.frame_bytes; ++i) gop.bytes_sum += packet.payload[i];
    }
    file_.push_back(gop);
    gate_.give(gop.frames);
    open_.clear();
    state_ = static_cast<int>(file_.size()) == format_.gops ? State::Finished : State::Collecting;
  }

  VideoFormat format_;
  Encoder& encoder_;
  CreditGate& gate_;
  Channel<Packet>& packets_;
  std::vector<Packet> open_;
  std::vector<Written> file_;
  State state_ = State::Collecting;
};

std::uint8_t pixel(int frame, int i) { return static_cast<std::uint8_t>((i * 5 + frame * 3) >> 2); }

}  // namespace

int main() {
  const VideoFormat format;
  CreditGate gate(format.gop_length);
  Channel<Packet> packets;
  Encoder encoder(format, gate, packets);
  Muxer muxer(format, encoder, gate, packets);

  for (int f = 0; f < format.frames(); ++f)
    for (int i = 0; i < format.frame_bytes; ++i) encoder.picture(f)[i] = pixel(f, i);

  std::thread writer([&muxer] { muxer.run(); });
  for (int f = 0; f < format.frames(); ++f) encoder.submit(f);
  writer.join();

  int wrong = 0;
  for (int g = 0; g < format.gops; ++g) {
    unsigned long long want = 0;
    for (int f = g * format.gop_length; f < (g + 1) * format.gop_length; ++f)
      for (int i = 0; i < format.frame_bytes; ++i) want += static_cast<std::uint8_t>(pixel(f, i) ^ (f * 29 + i));
    const Written& gop = muxer.file()[g];
    if (gop.frames != format.gop_length || gop.bytes_sum != want || gop.weight != want) ++wrong;
    if (gop.milliseconds <= 0.0f) ++wrong;
  }
  if (wrong) std::printf("WRONG %d\n", wrong);
  else std::printf("DONE\n");
  return 0;
}

#include <cstdio>
#include <future>

#include "encoder.h"

namespace {

constexpr int kFrames = 12;
constexpr std::size_t kFrameBytes = 1 << 18;
constexpr std::size_t kQueueDepth = 4;

// Writes packets in presentation order and keeps a digest of the container.
class Muxer {
public:
    explicit Muxer(codec::PacketQueue& in) : in_(in) {}

    int run(int packets) {
        int damaged = 0;
        for (int i = 0; i < packets; ++i) {
            const codec::Packet p = in_.take();
            if (p.pts != i || !intact(p)) ++damaged;
        }
        return damaged;
    }

private:
    static bool intact(const codec::Packet& p) {
        for (std::size_t i = 0; i < p.bytes; ++i)
            if (p.payload[i] != static_cast<std::uint8_t>((i * 31 + p.pts * 7) >> 2)) return false;
        return true;
    }

    codec::PacketQueue& in_;
};

class TranscodeJob {
public:
    TranscodeJob() : queue_(kQueueDepth), encoder_(kFrameBytes, kFrames, queue_), muxer_(queue_) {}

    int execute() {
        for (int f = 0; f < kFrames; ++f) encoder_.submit(f);
        encoder_.flush();
        std::future<int> written = std::async(std::launch::async, [this] { return muxer_.run(kFrames); });
        return written.get();
    }

private:
    codec::PacketQueue queue_;
    codec::Encoder encoder_;
    Muxer muxer_;
};

}  // namespace

int main() {
    try {
        TranscodeJob job;
        const int damaged = job.execute();
        if (damaged) std::printf("WRONG %d\n", damaged);
        else std::printf("DONE\n");
        return damaged != 0;
    } catch (const codec::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}

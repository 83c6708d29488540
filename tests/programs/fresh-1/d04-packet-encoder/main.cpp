#include "encoder.cuh"

namespace {

constexpr int kFrames = 12;
constexpr size_t kWords = 1 << 16;
constexpr size_t kQueueDepth = 4;

uint32_t key_of(int frame) { return 0x51ed270bu * uint32_t(frame + 1); }

uint32_t expected(uint32_t key, size_t i) {
    uint32_t x = key ^ static_cast<uint32_t>(i);
    for (int r = 0; r < 4; ++r) x = (x << 5) + x + 0x9e3779b9u;
    return x;
}

// Checks packets the way the muxer would: in order, every word.
class Muxer {
public:
    void accept(const Packet& p) {
        if (p.frame != next_++) ++wrong_;
        for (size_t i = 0; i < p.count; ++i)
            if (p.words[i] != expected(key_of(p.frame), i)) {
                ++wrong_;
                break;
            }
    }
    int verdict() const { return wrong_ + (next_ != kFrames); }

private:
    int next_ = 0;
    int wrong_ = 0;
};

}  // namespace

int main() {
    gpu(cudaSetDevice(0));
    PacketQueue queue(kQueueDepth);
    Encoder encoder(kFrames, kWords, queue);
    Muxer muxer;

    for (int f = 0; f < kFrames; ++f) encoder.submit(f, key_of(f));
    encoder.flush();
    queue.close();
    while (auto packet = queue.pop()) muxer.accept(*packet);

    if (int n = muxer.verdict())
        std::printf("WRONG %d\n", n);
    else
        std::puts("DONE");
    return 0;
}

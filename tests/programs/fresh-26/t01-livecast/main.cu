// Live channel: a demuxer thread feeds pictures, the channel codes them into one segment.
#include "transcoder.cuh"
#include <thread>

using namespace livecast;

namespace {

unsigned char testPattern(int number, std::size_t i) {
    return static_cast<unsigned char>(number * 37 + (i >> 3));
}

class Demuxer {
public:
    Demuxer(FramePool& pool, FrameQueue& out, int pictures, std::size_t bytes)
        : pool_(pool), out_(out), pictures_(pictures), bytes_(bytes) {}

    void operator()() {
        for (int n = 0; n < pictures_; ++n) {
            FrameRef f = pool_.acquire();
            f->number = n;
            for (std::size_t i = 0; i < bytes_; ++i) f->pixels[i] = testPattern(n, i);
            out_.push(std::move(f));
        }
        out_.push(nullptr);
    }

private:
    FramePool& pool_;
    FrameQueue& out_;
    int pictures_;
    std::size_t bytes_;
};

struct Channel {
    TranscoderConfig config;
    int pictures = 16;

    long run() {
        FramePool pool(config.depth + 1, config.bytes());
        SegmentStore store(pictures, config.bytes());
        FrameQueue queue;
        std::thread demux(Demuxer(pool, queue, pictures, config.bytes()));
        {
            Transcoder transcoder(config, store);
            while (FrameRef f = queue.pop()) transcoder.submit(std::move(f));
            transcoder.flush();
            std::printf("coded %d pictures\n", transcoder.finished());
        }
        demux.join();
        return audit(store);
    }

    long audit(SegmentStore& store) const {
        long bad = 0;
        for (int n = 0; n < pictures; ++n) {
            const unsigned char* p = store.picture(n);
            for (std::size_t i = 0; i < config.bytes(); ++i) {
                const unsigned char want = static_cast<unsigned char>(255 - testPattern(n, i)) ^ 0x35;
                bad += p[i] != want;
            }
        }
        return bad;
    }
};

}  // namespace

int main() {
    Channel channel;
    const long bad = channel.run();
    if (bad) std::printf("WRONG %ld\n", bad);
    else std::printf("DONE\n");
    return 0;
}

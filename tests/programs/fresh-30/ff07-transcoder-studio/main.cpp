// Live transcoder: a grabber, an encoder and a muxer around a ring of picture slots.
#include "ring.h"

#include <thread>

using namespace vt;

namespace {

constexpr int kFrames = 16;

// The sensor delivers a moving pattern with a cut every seven pictures.
std::uint8_t sensor(const Format& format, int frame, int i)
{
    const int x = i % format.width, y = i / format.width;
    return std::uint8_t((x + 3 * frame) * (1 + frame / 7) + 5 * y + 31 * (frame / 7));
}

// Motion search of a picture against the one before, for the rate control.
class Lookahead {
public:
    explicit Lookahead(const Format& format) : format_(format), before_(format.pixels(), 0) {}

    long cost(const std::uint8_t* picture)
    {
        constexpr int range = 3;
        long best = -1;
        for (int dy = -range; dy <= range; ++dy)
            for (int dx = -range; dx <= range; ++dx) {
                long sum = 0;
                for (int y = range; y < format_.height - range; ++y)
                    for (int x = range; x < format_.width - range; ++x)
                        sum += std::abs(picture[y * format_.width + x] - before_[(y + dy) * format_.width + x + dx]);
                if (best < 0 || sum < best) best = sum;
            }
        before_.assign(picture, picture + format_.pixels());
        return best;
    }

private:
    Format format_;
    std::vector<std::uint8_t> before_;
};

class Worker {
public:
    Worker(const Format& format, Ring& ring) : format_(format), ring_(ring)
    {
        VT_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    virtual ~Worker() { cudaStreamDestroy(stream_); }
    void start() { thread_ = std::thread([this] { work(); }); }
    void join() { thread_.join(); }

protected:
    virtual void work() = 0;
    Format format_;
    Ring& ring_;
    cudaStream_t stream_ = nullptr;

private:
    std::thread thread_;
};

class Grabber : public Worker {
public:
    Grabber(const Format& format, Ring& ring) : Worker(format, ring), lookahead_(format) {}

private:
    void work() override
    {
        for (int frame = 0; frame < kFrames; ++frame) {
            Slot& slot = *ring_.vacant.fetch();
            slot.frame = frame;
            for (int i = 0; i < format_.pixels(); ++i) slot.host[i] = sensor(format_, frame, i);
            {
                const Upload upload(slot, format_, stream_);
            }
            ring_.filled.post(&slot);
            costs_.push_back(lookahead_.cost(slot.host));
        }
        ring_.filled.shut();
        VT_TRY(cudaStreamSynchronize(stream_));
    }

    Lookahead lookahead_;
    std::vector<long> costs_;
};

class Encoder : public Worker {
public:
    using Worker::Worker;

private:
    void work() override
    {
        while (Slot* slot = ring_.filled.fetch()) {
            VT_TRY(cudaStreamWaitEvent(stream_, slot->uploaded, 0));
            quantise(slot->clean, slot->codes, format_, stream_);
            VT_TRY(cudaMemcpyAsync(slot->payload, slot->codes, sizeof(std::uint32_t) * format_.blocks(),
                                   cudaMemcpyDeviceToHost, stream_));
            VT_TRY(cudaEventRecord(slot->encoded, stream_));
            ring_.coded.post(slot);
        }
        ring_.coded.shut();
    }
};

// Counts the coding blocks of a picture that differ from the specification.
int audit(const Format& format, const Slot& slot)
{
    int wrong = 0;
    const int perRow = format.width / format.block;
    for (int b = 0; b < format.blocks(); ++b) {
        std::uint32_t energy = 0;
        const int x0 = (b % perRow) * format.block, y0 = (b / perRow) * format.block;
        for (int i = 0; i < format.block * format.block; ++i) {
            const int pixel = (y0 + i / format.block) * format.width + x0 + i % format.block;
            energy += (i % 7 + 1) * std::uint8_t((sensor(format, slot.frame, pixel) + 2) & 0xfc);
        }
        wrong += energy != slot.payload[b];
    }
    return wrong;
}

}  // namespace

int main()
{
    const Format format;
    Ring ring(format, 4);
    Grabber grabber(format, ring);
    Encoder encoder(format, ring);
    encoder.start();
    grabber.start();

    int wrong = 0;
    while (Slot* slot = ring.coded.fetch()) {
        VT_TRY(cudaEventSynchronize(slot->encoded));
        wrong += audit(format, *slot);
        ring.vacant.post(slot);
    }
    grabber.join();
    encoder.join();
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

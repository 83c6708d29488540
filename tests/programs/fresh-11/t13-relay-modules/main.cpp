// Market data relay: a drain kernel stays on the device for the whole session and adds up every
// chunk of quotes as soon as the decoder of that chunk has put it into the ring.
#include <cstdint>
#include <vector>
#include "kernels_ptx.h"
#include "stage.h"

namespace {

constexpr unsigned kChunk = 1 << 14;
constexpr unsigned kChunks = 24;

class Relay {
public:
    Relay() : raw_(kChunk * kChunks), ring_(kChunk * kChunks), head_(1), totals_(kChunks)
    {
        CU_TRY(cuMemHostAlloc(reinterpret_cast<void**>(&inbox_), raw_.bytes(), 0));
        CU_TRY(cuMemsetD32(head_.get(), 0, 1));
        CU_TRY(cuMemsetD32(totals_.get(), 0, 2 * kChunks));
        run_drain(0, 0);
        run_decode(0, 0);
        CU_TRY(cuCtxSynchronize());
    }
    ~Relay() { cuMemFreeHost(inbox_); }

    uint32_t* inbox() { return inbox_; }

    std::vector<unsigned long long> session()
    {
        run_drain(kChunk, kChunks);
        for (unsigned t = 0; t < kChunks; ++t) {
            const std::size_t first = std::size_t(t) * kChunk;
            CU_TRY(cuMemcpyHtoDAsync(raw_.at(first), inbox_ + first, kChunk * sizeof(uint32_t), decoder_.stream()));
            run_decode(kChunk, t);
        }
        decoder_.wait();
        drain_.wait();
        std::vector<unsigned long long> totals(kChunks);
        CU_TRY(cuMemcpyDtoH(totals.data(), totals_.get(), totals_.bytes()));
        return totals;
    }

private:
    void run_drain(unsigned chunk, unsigned chunks)
    {
        drain_.launch(256, ring_.get(), head_.get(), totals_.get(), chunk, chunks);
    }
    void run_decode(unsigned chunk, unsigned ticket)
    {
        decoder_.launch(256, raw_.get(), ring_.get(), head_.get(), chunk, ticket);
    }

    drv::Context context_;
    drv::Stage decoder_{images::decode, "decode"};
    drv::Stage drain_{images::drain, "drain"};
    drv::DeviceSpan<uint32_t> raw_, ring_, head_;
    drv::DeviceSpan<unsigned long long> totals_;
    uint32_t* inbox_ = nullptr;
};

}  // namespace

int main()
{
    Relay relay;
    for (unsigned i = 0; i < kChunk * kChunks; ++i) relay.inbox()[i] = (i * 2654435761u) >> 8;

    const auto totals = relay.session();

    std::size_t wrong = 0;
    for (unsigned t = 0; t < kChunks; ++t) {
        unsigned long long expected = 0;
        for (unsigned i = t * kChunk; i < (t + 1) * kChunk; ++i) expected += relay.inbox()[i] * 3u + 1u;
        wrong += totals[t] != expected;
    }
    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

// Replays a trading session: batches of ticks are priced on the device, the publisher sends the
// quotes out in order once the session is open.
#include "pricer.h"

#include <cstdio>
#include <future>
#include <thread>

namespace {

constexpr int kBatches = 12;
constexpr int kTicks = 70000;
constexpr std::size_t kBacklog = 4;

class Publisher {
public:
    explicit Publisher(gw::QuoteChannel& in)
        : in_(in), thread_([this, gate = opened_.get_future()]() mutable { run(std::move(gate)); })
    {
    }
    ~Publisher()
    {
        if (thread_.joinable())
            thread_.join();
    }

    void open() { opened_.set_value(); }
    int finish()
    {
        in_.close();
        thread_.join();
        return errors_ + (kBatches - sent_);
    }

private:
    static std::uint64_t reference(int batch)
    {
        std::uint64_t s = 0;
        for (int i = 0; i < kTicks; ++i)
            s += static_cast<std::uint64_t>(100 + (i % 7)) * (batch + 1);
        return s;
    }

    void run(std::future<void> gate)
    {
        gate.wait();
        gw::Quote q;
        while (in_.pop(q)) {
            if (q.batch != sent_ || q.notional != reference(q.batch))
                ++errors_;
            ++sent_;
        }
    }

    gw::QuoteChannel& in_;
    std::promise<void> opened_;
    int sent_ = 0;
    int errors_ = 0;
    std::thread thread_;
};

}  // namespace

int main()
{
    try {
        gw::QuoteChannel channel(kBacklog);
        Publisher publisher(channel);
        gw::Pricer pricer(channel, kBatches, kTicks);

        for (int b = 0; b < kBatches; ++b)
            pricer.submit(b);
        pricer.flush();

        publisher.open();
        const int wrong = publisher.finish();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong ? 1 : 0;
    } catch (const gw::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        std::fflush(stdout);
        std::_Exit(1);
    }
}

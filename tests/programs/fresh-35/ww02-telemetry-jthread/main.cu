// Telemetry server: batches of sensor samples are reduced on the device and
// archived in order; every page of the archive is closed by running totals.

#include "reducer.hpp"
#include <algorithm>
#include <cstdio>
#include <thread>

namespace {

using namespace tele;

std::vector<unsigned> make_samples()
{
    std::vector<unsigned> all(std::size_t{batches} * batch_size);
    unsigned k = 0;
    std::ranges::generate(all, [&k] {
        unsigned h = 2654435761u * ++k;
        h ^= h >> 15;
        return h % 100000u;
    });
    return all;
}

struct archive {
    std::vector<unsigned> peaks;
    std::vector<totals> pages;

    void operator()(const reduced& r)
    {
        peaks.push_back(r.peak);
        if ((r.batch + 1) % page_batches == 0) pages.push_back(r.so_far);
    }
};

template <class F>
concept sink = std::invocable<F&, const reduced&>;

std::jthread consume(channel<reduced>& from, sink auto& into)
{
    return std::jthread{[&](std::stop_token stop) {
        while (auto r = from.pop(stop)) into(*r);
    }};
}

int verify(const archive& a, std::span<const unsigned> samples)
{
    int wrong = static_cast<int>(a.peaks.size()) != batches;
    totals t;
    for (int b = 0; b < batches; ++b) {
        const auto part = samples.subspan(std::size_t(b) * batch_size, batch_size);
        for (unsigned v : part) t.sum += v;
        const unsigned peak = std::ranges::max(part);
        t.peak = std::max(t.peak, peak);
        t.count += batch_size;
        wrong += a.peaks.at(b) != peak;
        if ((b + 1) % page_batches == 0) wrong += a.pages.at(b / page_batches) != t;
    }
    return wrong;
}

}  // namespace

int main()
{
    const auto samples = make_samples();
    channel<reduced> results{channel_capacity};
    archive log;
    {
        reducer device{samples, results};
        std::jthread archivist = consume(results, log);
        std::jthread feeder{[&device] {
            for (int b = 0; b < batches; ++b) device.submit(b);
        }};
        feeder.join();
        device.drain();
        archivist.request_stop();
        archivist.join();
    }
    const int wrong = verify(log, samples);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::puts("DONE");
}

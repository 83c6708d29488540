#include <cstdio>
#include <vector>

#include "pricing.cuh"
#include "replay.h"

using namespace desk;

namespace {

constexpr int kDays = 20;
constexpr int kRatios = 4;

struct Day {
    std::vector<Leg> legs;
    std::vector<uint32_t> ratios;
};

Day market(int day) {
    Day d;
    const int legs = 2 + (day / 4) % 3;
    for (int l = 0; l < legs; ++l) {
        Leg leg{};
        leg.underlying = static_cast<uint32_t>(10 * day + l);
        leg.spot = static_cast<uint32_t>(5000 + 37 * day - 11 * l);
        leg.strikes = 3 + (day + l) % (kMaxStrikes - 3);
        for (int k = 0; k < leg.strikes; ++k) leg.strike[k] = static_cast<uint32_t>(4800 + 150 * k + day);
        d.legs.push_back(leg);
    }
    for (int r = 0; r < kRatios; ++r) d.ratios.push_back(static_cast<uint32_t>(3 + day * 5 + r * 17));
    return d;
}

struct Sheet {
    std::vector<Quote> quotes;
    std::vector<unsigned long long> units;
};

Sheet on_host() {
    Sheet s;
    for (int day = 0; day < kDays; ++day) {
        const Day d = market(day);
        Quote q{0, 0};
        for (const Leg& leg : d.legs) {
            for (int p = 0; p < kPaths; ++p) q.value += payoff(leg, p);
        }
        q.delta = q.value / 97u;
        s.quotes.push_back(q);
        for (uint32_t ratio : d.ratios) {
            unsigned long long u = 0;
            for (int p = 0; p < kPaths; ++p) u += hedge_units(q.value, ratio, p);
            s.units.push_back(u);
        }
    }
    return s;
}

struct DeviceSheet {
    Quote* quotes = nullptr;
    unsigned long long* units = nullptr;
    DeviceSheet() {
        ensure(cudaMalloc(reinterpret_cast<void**>(&quotes), kDays * sizeof(Quote)));
        ensure(cudaMalloc(reinterpret_cast<void**>(&units), kDays * kRatios * sizeof(unsigned long long)));
        ensure(cudaMemset(units, 0, kDays * kRatios * sizeof(unsigned long long)));
        ensure(cudaDeviceSynchronize());
    }
    ~DeviceSheet() {
        cudaFree(quotes);
        cudaFree(units);
    }
};

// A dry run through all kinds of work before the market opens.
void open_desk(Quote* scratch, cudaStream_t s) {
    const Leg none{};
    enqueue_clear(scratch, s);
    enqueue_leg(none, scratch, s);
    enqueue_settle(scratch, s);
    ensure(cudaGetLastError());
    ensure(cudaStreamSynchronize(s));
}

Sheet on_device(int* shapes, int* updates) {
    DeviceSheet sheet;
    cudaStream_t stream;
    ensure(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    open_desk(sheet.quotes, stream);
    Sheet out;
    out.quotes.resize(kDays);
    out.units.resize(kDays * kRatios);
    {
        Replay replay(stream);
        HedgeRow hedges;
        for (int day = 0; day < kDays; ++day) {
            const Day d = market(day);
            Quote* quote = sheet.quotes + day;
            replay.run([&](cudaStream_t s) {
                enqueue_clear(quote, s);
                for (const Leg& leg : d.legs) enqueue_leg(leg, quote, s);
                enqueue_settle(quote, s);
                ensure(cudaGetLastError());
            });
            for (int r = 0; r < kRatios; ++r) {
                hedges.run(quote, sheet.units + day * kRatios + r, d.ratios[static_cast<size_t>(r)], stream);
            }
        }
        *shapes = replay.shapes();
        *updates = replay.updates();

        ensure(cudaMemcpyAsync(out.quotes.data(), sheet.quotes, kDays * sizeof(Quote), cudaMemcpyDeviceToHost, stream));
        ensure(cudaMemcpyAsync(out.units.data(), sheet.units, kDays * kRatios * sizeof(unsigned long long),
                               cudaMemcpyDeviceToHost, stream));
        ensure(cudaStreamSynchronize(stream));
    }
    ensure(cudaStreamDestroy(stream));
    return out;
}

}  // namespace

int main() {
    int shapes = 0, updates = 0;
    const Sheet got = on_device(&shapes, &updates);
    const Sheet want = on_host();
    long bad = 0;
    for (size_t i = 0; i < want.quotes.size(); ++i) {
        bad += got.quotes[i].value != want.quotes[i].value;
        bad += got.quotes[i].delta != want.quotes[i].delta;
    }
    for (size_t i = 0; i < want.units.size(); ++i) bad += got.units[i] != want.units[i];
    bad += shapes + updates != kDays;
    if (bad) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}

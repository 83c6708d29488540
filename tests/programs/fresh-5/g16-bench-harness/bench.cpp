#include "bench.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace bench {

namespace {

using Arrival = std::promise<Harness::Clock::time_point>;

void CUDART_CB arrive(void* user) {
    std::unique_ptr<Arrival> arrival(static_cast<Arrival*>(user));
    arrival->set_value(Harness::Clock::now());
}

std::future<Harness::Clock::time_point> stamp(cudaStream_t stream) {
    auto arrival = std::make_unique<Arrival>();
    auto when = arrival->get_future();
    check(cudaLaunchHostFunc(stream, arrive, arrival.get()));
    arrival.release();
    return when;
}

}  // namespace

Harness::Harness(Options opt) : opt_(opt) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Harness::~Harness() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
}

Harness& Harness::add(std::string name, Body body) {
    cases_.push_back({std::move(name), std::move(body)});
    return *this;
}

double Harness::sample(const Case& c) {
    auto first = stamp(stream_);
    for (int i = 0; i < opt_.iterations; ++i) c.body(stream_);
    auto last = stamp(stream_);
    const auto span = last.get() - first.get();
    return std::chrono::duration<double, std::milli>(span).count() / opt_.iterations;
}

std::vector<Result> Harness::run() {
    std::vector<Result> results;
    for (const Case& c : cases_) {
        std::vector<double> ms;
        for (int s = 0; s < opt_.discard + opt_.samples; ++s) {
            const double t = sample(c);
            if (s >= opt_.discard) ms.push_back(t);
        }
        std::nth_element(ms.begin(), ms.begin() + ms.size() / 2, ms.end());
        results.push_back({c.name, ms[ms.size() / 2]});
    }
    return results;
}

}  // namespace bench

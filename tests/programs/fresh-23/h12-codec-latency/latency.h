#pragma once

#include "codec.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <vector>

namespace codec {

// Latency of single calls in milliseconds, from the call to the moment the stream has come to its end.
class LatencyProbe {
public:
    using Clock = std::chrono::steady_clock;

    template <typename Submit>
    double once(cudaStream_t stream, Submit&& submit) {
        auto arrival = std::make_unique<std::promise<Clock::time_point>>();
        std::future<Clock::time_point> end = arrival->get_future();
        const Clock::time_point begin = Clock::now();
        submit();
        require(cudaLaunchHostFunc(stream, &LatencyProbe::arrive, arrival.get()));
        arrival.release();
        return std::chrono::duration<double, std::milli>(end.get() - begin).count();
    }

    template <typename Submit>
    double median(cudaStream_t stream, int repetitions, Submit&& submit) {
        std::vector<double> values(repetitions);
        for (double& value : values) value = once(stream, submit);
        std::nth_element(values.begin(), values.begin() + repetitions / 2, values.end());
        return values[repetitions / 2];
    }

private:
    static void CUDART_CB arrive(void* context) {
        const Clock::time_point now = Clock::now();
        std::unique_ptr<std::promise<Clock::time_point>> arrival(
            static_cast<std::promise<Clock::time_point>*>(context));
        arrival->set_value(now);
    }
};

}  // namespace codec

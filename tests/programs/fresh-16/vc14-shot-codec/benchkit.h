#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace benchkit {

struct Reading {
    std::string name;
    double msPerRep = 0.0;
};

// Every case is prepared once and then timed over its repetitions.
class Suite {
public:
    using Step = std::function<void()>;

    Suite& add(std::string name, Step prepare, Step body, int reps) {
        cases_.push_back({std::move(name), std::move(prepare), std::move(body), reps});
        return *this;
    }

    std::vector<Reading> run() const {
        std::vector<Reading> readings;
        for (const Case& c : cases_) {
            c.prepare();
            Stopwatch watch;
            for (int r = 0; r < c.reps; ++r) c.body();
            readings.push_back({c.name, watch.ms() / c.reps});
        }
        return readings;
    }

    struct Stopwatch {
        std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
        double ms() const {
            return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        }
    };

private:
    struct Case {
        std::string name;
        Step prepare;
        Step body;
        int reps;
    };
    std::vector<Case> cases_;
};

}  // namespace benchkit

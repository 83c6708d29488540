#pragma once
#include <chrono>

#include "engine.h"

namespace ranker {

struct BenchConfig {
    int batch = 200;
    int warmups = 4;
    int repetitions = 6;
};

struct Figures {
    double steadyMillis = 0.0;  // mean latency of a request in steady state
    int wrong = 0;
};

class LatencyBench {
public:
    LatencyBench(Engine& engine, BenchConfig cfg) : engine_(engine), cfg_(cfg) {}

    Figures run() {
        warm();
        Figures f;
        std::vector<std::vector<float>> answers;
        const auto t0 = std::chrono::steady_clock::now();
        for (int r = 0; r < cfg_.repetitions; ++r) answers.push_back(engine_.rank(Request{cfg_.batch, r}));
        const auto t1 = std::chrono::steady_clock::now();
        f.steadyMillis = std::chrono::duration<double, std::milli>(t1 - t0).count() / cfg_.repetitions;
        for (int r = 0; r < cfg_.repetitions; ++r) f.wrong += verify(Request{cfg_.batch, r}, answers[r]);
        return f;
    }

private:
    void warm() {
        for (int w = 0; w < cfg_.warmups; ++w) engine_.rank(Request{cfg_.batch - w, w});
    }

    static int verify(const Request& r, const std::vector<float>& got) {
        int wrong = 0;
        for (int i = 0; i < r.batch; ++i) {
            float acc = 0.0f;
            for (int k = 0; k < kFeatures; ++k) acc += r.item(i, k) * Engine::queryAt(k);
            wrong += acc != got[i];
        }
        return wrong;
    }

    Engine& engine_;
    BenchConfig cfg_;
};

}  // namespace ranker

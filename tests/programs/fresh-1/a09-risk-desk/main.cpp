#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#include "pricing_worker.h"

namespace {

constexpr int kWorkers = 3;
constexpr int kBatches = 24;
constexpr int kQuotes = 1 << 16;
constexpr int kBlocks = 6;

class Desk {
public:
    explicit Desk(double* totals) : pool_(kBlocks, kQuotes) {
        for (int w = 0; w < kWorkers; ++w)
            workers_.push_back(std::make_unique<desk::PricingWorker>(pool_, kQuotes, totals));
        for (int b = 0; b < kBatches; ++b) backlog_.push({b, kQuotes});
    }

    void open() {
        std::vector<std::thread> threads;
        for (auto& worker : workers_) threads.emplace_back([this, &worker] { serve(*worker); });
        for (auto& t : threads) t.join();
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    bool next(desk::Batch& out) {
        std::lock_guard<std::mutex> lock(m_);
        if (backlog_.empty()) return false;
        out = backlog_.front();
        backlog_.pop();
        return true;
    }

    void serve(desk::PricingWorker& worker) {
        try {
            desk::Batch batch;
            while (next(batch)) worker.price(batch);
            worker.close();
        } catch (...) {
            std::lock_guard<std::mutex> lock(m_);
            failure_ = std::current_exception();
        }
    }

    desk::BlockPool pool_;
    std::vector<std::unique_ptr<desk::PricingWorker>> workers_;
    std::queue<desk::Batch> backlog_;
    std::mutex m_;
    std::exception_ptr failure_;
};

}  // namespace

int main() {
    try {
        double* totals = nullptr;
        desk::expect(cudaMalloc(&totals, kBatches * sizeof(double)));
        desk::expect(cudaMemset(totals, 0, kBatches * sizeof(double)));
        desk::expect(cudaDeviceSynchronize());
        {
            Desk d(totals);
            d.open();
        }
        std::vector<double> booked(kBatches);
        desk::expect(cudaMemcpy(booked.data(), totals, kBatches * sizeof(double), cudaMemcpyDeviceToHost));
        desk::expect(cudaFree(totals));
        int wrong = 0;
        for (int b = 0; b < kBatches; ++b)
            if (std::fabs(booked[b] - kQuotes * (b + 1 + 1.5)) > 0.5) ++wrong;
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
        return wrong != 0;
    } catch (const desk::CudaFault& f) {
        std::printf("ERROR %s\n", f.what());
        return 2;
    }
}

// Overnight revaluation: every trading book runs its scenarios in a task of its own.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>

#include "pinned.h"
#include "reval.cuh"

namespace desk {

inline void need(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

class Book {
public:
    Book(std::string name, int positions, uint32_t seed)
        : name_(std::move(name)), notional_(positions), value_(positions), total_(positions) {
        for (int i = 0; i < positions; ++i) {
            seed = seed * 1103515245u + 12345u;
            notional_[i] = static_cast<int64_t>(seed >> 8) - 4000000;
        }
        need(cudaMalloc(&d_notional_, bytes()));
        need(cudaMalloc(&d_value_, bytes()));
    }
    ~Book() {
        cudaFree(d_notional_);
        cudaFree(d_value_);
    }
    Book(const Book&) = delete;
    Book& operator=(const Book&) = delete;

    void run(int scenarios) {
        for (auto& t : total_) t = 0;
        for (int s = 0; s < scenarios; ++s) {
            need(cudaMemcpyAsync(d_notional_, notional_.data(), bytes(), cudaMemcpyHostToDevice,
                                 cudaStreamPerThread));
            need(revalue(d_notional_, d_value_, static_cast<int>(notional_.size()), s));
            need(cudaMemcpyAsync(value_.data(), d_value_, bytes(), cudaMemcpyDeviceToHost,
                                 cudaStreamPerThread));
            need(cudaStreamSynchronize(cudaStreamPerThread));
            for (size_t i = 0; i < value_.size(); ++i) total_[i] += value_[i];
        }
    }

    long breaks(int scenarios) const {
        long n = 0;
        for (size_t i = 0; i < total_.size(); ++i) {
            int64_t want = 0;
            for (int s = 0; s < scenarios; ++s) want += reprice(notional_[i], s);
            n += want != total_[i];
        }
        return n;
    }
    const std::string& name() const { return name_; }

private:
    size_t bytes() const { return notional_.size() * sizeof(int64_t); }

    std::string name_;
    Column<int64_t> notional_, value_;
    std::vector<int64_t> total_;
    int64_t* d_notional_ = nullptr;
    int64_t* d_value_ = nullptr;
};

double overnight(std::deque<Book>& books, int scenarios, size_t tasks) {
    const auto t0 = std::chrono::steady_clock::now();
    std::vector<std::future<void>> running;
    for (size_t b = 0; b < tasks; ++b) {
        running.push_back(std::async(std::launch::async, [&book = books[b], scenarios] { book.run(scenarios); }));
    }
    for (auto& r : running) r.get();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

}  // namespace desk

int main() {
    constexpr int kScenarios = 10;
    try {
        std::deque<desk::Book> books;
        books.emplace_back("rates", 4096, 11u);
        books.emplace_back("fx", 4096, 12u);
        books.emplace_back("credit", 4096, 13u);
        books.emplace_back("equity", 4096, 14u);

        desk::overnight(books, 1, books.size());
        const double alone = desk::overnight(books, kScenarios, 1);
        const double all = desk::overnight(books, kScenarios, books.size());
        std::fprintf(stderr, "one book %.1f ms, all %zu books %.1f ms\n", alone, books.size(), all);

        long wrong = 0;
        for (const auto& b : books) wrong += b.breaks(kScenarios);
        const double ratio = all / alone;
        if (wrong)
            std::printf("WRONG %ld\n", wrong);
        else if (ratio > 1.5)
            std::printf("SLOW %.2f\n", ratio);
        else
            std::printf("DONE\n");
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    return 0;
}

#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace pricing {

class CudaException : public std::runtime_error {
public:
    explicit CudaException(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

#define PRICING_TRY(expr)                                                   \
    do {                                                                    \
        if (const cudaError_t code_ = (expr)) throw ::pricing::CudaException(code_); \
    } while (0)

struct Contract {
    int spot;
    int strike;
    int notional;
};

// A book of contracts of one desk; it owns its stream and its memory.
class Book {
public:
    Book(int desk, int contracts);
    ~Book();
    Book(const Book&) = delete;
    Book& operator=(const Book&) = delete;

    void submit();
    void collect();
    int discrepancies() const;

private:
    int size_;
    cudaStream_t stream_ = nullptr;
    Contract* contracts_ = nullptr;
    Contract* deviceContracts_ = nullptr;
    int* deviceValues_ = nullptr;
    int* values_ = nullptr;
};

// Values books together: all are submitted before any is collected.
class Valuation {
public:
    Valuation& add(int desk, int contracts) {
        books_.push_back(std::make_unique<Book>(desk, contracts));
        return *this;
    }
    void run(std::size_t books) {
        for (std::size_t b = 0; b < books; ++b) books_[b]->submit();
        for (std::size_t b = 0; b < books; ++b) books_[b]->collect();
    }
    std::size_t size() const { return books_.size(); }
    int discrepancies() const {
        int bad = 0;
        for (const auto& book : books_) bad += book->discrepancies();
        return bad;
    }

private:
    std::vector<std::unique_ptr<Book>> books_;
};

}  // namespace pricing

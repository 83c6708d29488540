#pragma once
#include "check.h"
#include <cstddef>
#include <cstring>
#include <utility>

namespace ooc {

// A row-major matrix in host memory. Its storage is page-locked for the life of the object.
template <class T>
class HostMatrix {
public:
    static constexpr std::size_t kPage = 4096;

    HostMatrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols)
    {
        const std::size_t bytes = (count() * sizeof(T) + kPage - 1) / kPage * kPage;
        data_ = static_cast<T*>(std::aligned_alloc(kPage, bytes));
        if (!data_)
            fail("out of host memory");
        std::memset(data_, 0, bytes);
        check(cudaHostRegister(data_, count(), cudaHostRegisterDefault));
    }

    ~HostMatrix()
    {
        if (!data_)
            return;
        cudaHostUnregister(data_);
        std::free(data_);
    }

    HostMatrix(HostMatrix&& o) noexcept : rows_(o.rows_), cols_(o.cols_), data_(std::exchange(o.data_, nullptr)) {}
    HostMatrix(const HostMatrix&) = delete;
    HostMatrix& operator=(const HostMatrix&) = delete;

    std::size_t rows() const { return rows_; }
    std::size_t cols() const { return cols_; }
    std::size_t count() const { return rows_ * cols_; }
    T* row(std::size_t r) { return data_ + r * cols_; }
    const T* row(std::size_t r) const { return data_ + r * cols_; }

private:
    std::size_t rows_, cols_;
    T* data_ = nullptr;
};

}  // namespace ooc

#pragma once
#include <cuda_runtime.h>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

namespace codec {

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

// An array of fixed length in ordinary pages, which are locked while it lives.
template <class T>
class HostBlock {
public:
    explicit HostBlock(size_t n) : n_(n), bytes_((n * sizeof(T) + kPage - 1) / kPage * kPage)
    {
        p_.reset(static_cast<T*>(std::aligned_alloc(kPage, bytes_)));
        if (!p_) throw std::bad_alloc();
        check(cudaHostRegister(p_.get(), bytes_, cudaHostRegisterDefault));
    }
    ~HostBlock() { cudaHostUnregister(p_.get()); }
    HostBlock(const HostBlock&) = delete;
    HostBlock& operator=(const HostBlock&) = delete;

    T* data() { return p_.get(); }
    const T* data() const { return p_.get(); }
    size_t size() const { return n_; }
    T& operator[](size_t i) { return p_.get()[i]; }
    const T& operator[](size_t i) const { return p_.get()[i]; }

private:
    static constexpr size_t kPage = 4096;
    struct Free {
        void operator()(T* p) const { std::free(p); }
    };

    size_t n_, bytes_;
    std::unique_ptr<T, Free> p_;
};

}  // namespace codec

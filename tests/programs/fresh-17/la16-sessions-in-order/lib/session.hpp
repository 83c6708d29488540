#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace tern
{

class gpu_error : public std::runtime_error
{
public:
    gpu_error(cudaError_t code, char const * what_)
        : std::runtime_error(std::string(what_) + ": " + cudaGetErrorString(code)), code_(code)
    {
    }
    cudaError_t code() const noexcept { return code_; }

private:
    cudaError_t code_;
};

namespace detail
{
inline void ensure(cudaError_t code, char const * what)
{
    if (code != cudaSuccess)
    {
        cudaGetLastError();
        throw gpu_error(code, what);
    }
}

struct stream_deleter
{
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
struct device_deleter
{
    void operator()(void * p) const { cudaFree(p); }
};
struct pinned_deleter
{
    void operator()(void * p) const { cudaFreeHost(p); }
};
} // namespace detail

#define TERN_ENSURE(call) ::tern::detail::ensure((call), #call)

using unique_stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, detail::stream_deleter>;

template <typename T>
using device_ptr = std::unique_ptr<T[], detail::device_deleter>;

template <typename T>
using pinned_ptr = std::unique_ptr<T[], detail::pinned_deleter>;

template <typename T>
device_ptr<T> make_device(std::size_t n)
{
    void * p = nullptr;
    TERN_ENSURE(cudaMalloc(&p, n * sizeof(T)));
    return device_ptr<T>(static_cast<T *>(p));
}

template <typename T>
pinned_ptr<T> make_pinned(std::size_t n)
{
    void * p = nullptr;
    TERN_ENSURE(cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocDefault));
    return pinned_ptr<T>(static_cast<T *>(p));
}

/// Tunables of a connection.
struct session_config
{
    std::size_t max_groups    = 1024;
    int         block_threads = 256;
    int         max_blocks    = 512;
};

/// One client connection. All its queries run, in order, on a stream of its own; sessions are independent of each
/// other and may be used from different threads.
class session
{
public:
    explicit session(session_config config = {});
    session(session const &)             = delete;
    session & operator=(session const &) = delete;

    cudaStream_t           stream() const noexcept { return stream_.get(); }
    session_config const & config() const noexcept { return config_; }

    std::uint64_t * group_scratch() const noexcept { return group_scratch_.get(); }
    std::uint64_t * row_counter() const noexcept { return row_counter_.get(); }
    std::uint64_t * host_results() const noexcept { return host_results_.get(); }

    void finish() const;

private:
    session_config            config_;
    unique_stream             stream_;
    device_ptr<std::uint64_t> group_scratch_;
    device_ptr<std::uint64_t> row_counter_;
    pinned_ptr<std::uint64_t> host_results_;
};

} // namespace tern

#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "bounded_queue.h"
#include "check.h"

namespace aln {

// Thirty-two bases of two bits each.
using Kmer = std::uint64_t;

struct Hit {
    int mismatches;
    int position;
};

struct Options {
    int lanes = 3;
    int chunks = 24;
    int reads_per_chunk = 256;
    std::size_t report_backlog = 8;
};

struct ChunkReport {
    int chunk = -1;
    long long mismatches = 0;
    long long position_sum = 0;
};

struct PinnedDelete {
    void operator()(void *p) const { cudaFreeHost(p); }
};
struct DeviceDelete {
    void operator()(void *p) const { cudaFree(p); }
};
template <class T> using Pinned = std::unique_ptr<T[], PinnedDelete>;
template <class T> using Device = std::unique_ptr<T[], DeviceDelete>;

template <class T> Pinned<T> make_pinned(std::size_t n)
{
    void *p = nullptr;
    check(cudaMallocHost(&p, n * sizeof(T)));
    return Pinned<T>(static_cast<T *>(p));
}
template <class T> Device<T> make_device(std::size_t n)
{
    void *p = nullptr;
    check(cudaMalloc(&p, n * sizeof(T)));
    return Device<T>(static_cast<T *>(p));
}

class AlignService {
public:
    AlignService(const std::vector<Kmer> &windows, Options opt);
    ~AlignService();
    AlignService(const AlignService &) = delete;
    AlignService &operator=(const AlignService &) = delete;

    void submit(int chunk, const std::vector<Kmer> &reads);
    std::map<int, ChunkReport> finish();

private:
    struct Ticket {
        AlignService *owner;
        int chunk;
    };
    static void CUDART_CB on_chunk_done(void *ticket);
    void summarise(int chunk);
    void gather();

    Options opt_;
    int windows_n_;
    std::vector<cudaStream_t> lanes_;
    Device<Kmer> d_windows_, d_reads_;
    Device<Hit> d_hits_;
    Pinned<Kmer> h_reads_;
    Pinned<Hit> h_hits_;
    std::vector<Ticket> tickets_;
    BoundedQueue<ChunkReport> reports_;
    std::map<int, ChunkReport> merged_;
    std::thread gatherer_;
};

} // namespace aln

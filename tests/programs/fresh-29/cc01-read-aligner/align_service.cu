#include "align_service.h"

#include <algorithm>

namespace aln {

namespace {

__global__ void best_window(const Kmer *windows, int n_windows, const Kmer *reads, Hit *hits, int n_reads)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n_reads) return;
    const Kmer read = reads[r];
    Hit best{1 << 20, -1};
    for (int w = 0; w < n_windows; ++w) {
        const Kmer x = windows[w] ^ read;
        const int mm = __popcll((x | (x >> 1)) & 0x5555555555555555ull);
        if (mm < best.mismatches) best = Hit{mm, w};
    }
    hits[r] = best;
}

} // namespace

AlignService::AlignService(const std::vector<Kmer> &windows, Options opt)
    : opt_(opt), windows_n_(static_cast<int>(windows.size())), reports_(opt.report_backlog)
{
    const std::size_t reads = std::size_t(opt_.chunks) * opt_.reads_per_chunk;
    d_windows_ = make_device<Kmer>(windows.size());
    d_reads_ = make_device<Kmer>(reads);
    d_hits_ = make_device<Hit>(reads);
    h_reads_ = make_pinned<Kmer>(reads);
    h_hits_ = make_pinned<Hit>(reads);
    check(cudaMemcpy(d_windows_.get(), windows.data(), windows.size() * sizeof(Kmer), cudaMemcpyHostToDevice));

    lanes_.resize(opt_.lanes);
    for (auto &s : lanes_) check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    tickets_.resize(opt_.chunks);
    for (int c = 0; c < opt_.chunks; ++c) tickets_[c] = Ticket{this, c};
}

AlignService::~AlignService()
{
    for (auto s : lanes_) cudaStreamDestroy(s);
}

void AlignService::submit(int chunk, const std::vector<Kmer> &reads)
{
    const std::size_t base = std::size_t(chunk) * opt_.reads_per_chunk;
    const int n = static_cast<int>(reads.size());
    cudaStream_t s = lanes_[chunk % opt_.lanes];

    std::copy(reads.begin(), reads.end(), h_reads_.get() + base);
    check(cudaMemcpyAsync(d_reads_.get() + base, h_reads_.get() + base, n * sizeof(Kmer), cudaMemcpyHostToDevice, s));
    best_window<<<(n + 127) / 128, 128, 0, s>>>(d_windows_.get(), windows_n_, d_reads_.get() + base,
                                                d_hits_.get() + base, n);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(h_hits_.get() + base, d_hits_.get() + base, n * sizeof(Hit), cudaMemcpyDeviceToHost, s));
    check(cudaLaunchHostFunc(s, &AlignService::on_chunk_done, &tickets_[chunk]));
}

void CUDART_CB AlignService::on_chunk_done(void *p)
{
    auto *ticket = static_cast<Ticket *>(p);
    ticket->owner->summarise(ticket->chunk);
}

void AlignService::summarise(int chunk)
{
    ChunkReport rep;
    rep.chunk = chunk;
    const Hit *h = h_hits_.get() + std::size_t(chunk) * opt_.reads_per_chunk;
    for (int i = 0; i < opt_.reads_per_chunk; ++i) {
        rep.mismatches += h[i].mismatches;
        rep.position_sum += h[i].position;
    }
    reports_.push(rep);
}

std::map<int, ChunkReport> AlignService::finish()
{
    for (auto s : lanes_) check(cudaStreamSynchronize(s));
    reports_.close();

    std::map<int, ChunkReport> merged;
    ChunkReport rep;
    while (reports_.pop(rep)) merged[rep.chunk] = rep;
    return merged;
}

} // namespace aln

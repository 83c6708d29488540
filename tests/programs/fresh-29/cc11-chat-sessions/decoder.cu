#include "decoder.h"

namespace chat {

namespace {

constexpr unsigned kRetire = 0xffffffffu;
constexpr int kLine = 64;   // a doorbell and its answer, each with a cache line to itself

__global__ void __launch_bounds__(kChunk) decode_sessions(unsigned *lines, KvCache::View view)
{
    volatile unsigned *bell = lines + 2 * kLine * blockIdx.x;
    volatile unsigned *done = bell + kLine;
    const SessionState st = view.s[blockIdx.x];
    __shared__ unsigned order;

    unsigned length = 0;
    for (unsigned turn = 1;; ++turn) {
        if (threadIdx.x == 0) {
            unsigned v;
            while ((v = *bell) < turn) __nanosleep(300);
            __threadfence_system();
            order = v;
        }
        __syncthreads();
        if (order == kRetire) return;

        st.cache[length + threadIdx.x] = __ldcg(st.turn + threadIdx.x);
        length += kChunk;
        __syncthreads();

        unsigned acc = 0;
        for (unsigned k = 0; k < length; ++k) acc = acc * 33u + (st.cache[k] ^ threadIdx.x);
        st.reply[threadIdx.x] = acc;

        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) *done = turn;
    }
}

} // namespace

CUdeviceptr ResidentDecoder::bell(int session) const
{
    return reinterpret_cast<CUdeviceptr>(lines_ + 2 * kLine * session);
}

CUdeviceptr ResidentDecoder::done(int session) const
{
    return bell(session) + kLine * sizeof(unsigned);
}

ResidentDecoder::ResidentDecoder()
{
    const std::size_t bytes = 2 * kLine * kSessions * sizeof(unsigned);
    check(cudaMalloc(&lines_, bytes));
    check(cudaMemset(lines_, 0, bytes));
    check(cudaStreamCreateWithFlags(&resident_, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&control_, cudaStreamNonBlocking));
    check(cudaDeviceSynchronize());
}

void ResidentDecoder::start(const KvCache &cache)
{
    decode_sessions<<<kSessions, kChunk, 0, resident_>>>(lines_, cache.view());
    check(cudaGetLastError());
    started_ = true;
}

ResidentDecoder::~ResidentDecoder()
{
    if (started_) retire();
    cudaStreamDestroy(resident_);
    cudaStreamDestroy(control_);
    cudaFree(lines_);
}

void ResidentDecoder::turn(int session, unsigned number, cudaStream_t s) const
{
    check(cuStreamWriteValue32(s, bell(session), number, CU_STREAM_WRITE_VALUE_DEFAULT));
    check(cuStreamWaitValue32(s, done(session), number, CU_STREAM_WAIT_VALUE_GEQ));
}

void ResidentDecoder::retire()
{
    for (int i = 0; i < kSessions; ++i) check(cuStreamWriteValue32(control_, bell(i), kRetire, CU_STREAM_WRITE_VALUE_DEFAULT));
    check(cudaStreamSynchronize(resident_));
    check(cudaStreamSynchronize(control_));
    started_ = false;
}

} // namespace chat

#include "graph_cache.hpp"

#include <algorithm>

namespace {

// One block per sequence: attention score against every vocabulary entry.
__global__ void decode_step(DecoderState s) {
    __shared__ int best_score[128];
    __shared__ int best_token[128];
    const int seq = blockIdx.x;
    const int* row = s.kv + s.slot_of[seq] * kHeadDim;
    int top = -2147483647, arg = 0;
    for (int t = threadIdx.x; t < kVocab; t += blockDim.x) {
        int acc = 0;
        for (int d = 0; d < kHeadDim; ++d) acc += row[d] * vocab_weight(t, d);
        if (acc > top) {
            top = acc;
            arg = t;
        }
    }
    best_score[threadIdx.x] = top;
    best_token[threadIdx.x] = arg;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < blockDim.x; ++i)
            if (best_score[i] > top || (best_score[i] == top && best_token[i] < arg)) {
                top = best_score[i];
                arg = best_token[i];
            }
        s.token[seq] = arg;
        s.score[seq] = top;
    }
}

// Feeds the sampled tokens back into the cache pages they came from.
__global__ void append_kv(DecoderState s) {
    int* row = s.kv + s.slot_of[blockIdx.x] * kHeadDim;
    const int d = threadIdx.x;
    row[d] = (row[d] * 5 + s.token[blockIdx.x] + d) % 101;
}

}  // namespace

GraphCache::GraphCache(DecoderState state, const Placement& placement,
                       const std::vector<int>& buckets)
    : state_(state), rows_(make_pinned(kMaxBatch)), out_(make_pinned(kMaxBatch)) {
    CU(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (int bucket : buckets) entries_.emplace(bucket, build(bucket, placement.rows(bucket)));
}

GraphCache::~GraphCache() {
    cudaStreamSynchronize(stream_);
    for (auto& [bucket, entry] : entries_) {
        cudaGraphExecDestroy(entry.exec);
        cudaGraphDestroy(entry.graph);
    }
    cudaStreamDestroy(stream_);
}

GraphCache::Entry GraphCache::build(int bucket, const std::vector<int>& rows) {
    Entry e;
    std::copy(rows.begin(), rows.end(), rows_.get());
    CU(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    CU(cudaMemcpyAsync(state_.slot_of, rows_.get(), bucket * sizeof(int),
                       cudaMemcpyHostToDevice, stream_));
    decode_step<<<bucket, 128, 0, stream_>>>(state_);
    append_kv<<<bucket, kHeadDim, 0, stream_>>>(state_);
    CU(cudaMemcpyAsync(out_.get(), state_.token, bucket * sizeof(int), cudaMemcpyDeviceToHost,
                       stream_));
    CU(cudaStreamEndCapture(stream_, &e.graph));
    CU(cudaGraphInstantiate(&e.exec, e.graph, 0));
    CU(cudaGraphUpload(e.exec, stream_));
    return e;
}

void GraphCache::launch(int bucket) {
    CU(cudaGraphLaunch(entries_.at(bucket).exec, stream_));
}

std::vector<int> GraphCache::tokens(int bucket) {
    CU(cudaStreamSynchronize(stream_));
    return std::vector<int>(out_.get(), out_.get() + bucket);
}

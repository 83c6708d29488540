#include "common.cuh"
#include <cstring>

// dst[:, rows[i]] = W[expert] * x[:, rows[i]]
static __global__ void k_expert_matvec(const float * __restrict__ w, const float * __restrict__ x, float * __restrict__ dst,
                                       const int32_t * __restrict__ rows, int ncols, int nrows_w) {
    const int token = rows[blockIdx.y];
    const int r     = blockIdx.x * blockDim.y + threadIdx.y;
    if (r >= nrows_w) return;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < ncols; c += 32) {
        sum += w[(size_t) r * ncols + c] * x[(size_t) token * ncols + c];
    }
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    if (threadIdx.x == 0) dst[(size_t) token * nrows_w + r] = sum;
}

// src0: experts [K, M, E]   src1: activations [K, T]   src2: expert of each token [T]   dst: [M, T]
void mgml_cuda_mul_mat_id(mgml_cuda_context & ctx, mgml_tensor * dst) {
    const mgml_tensor * src0 = dst->src[0];
    const mgml_tensor * src1 = dst->src[1];
    const mgml_tensor * ids  = dst->src[2];

    const int64_t ncols     = src0->ne[0];
    const int64_t nrows     = src0->ne[1];
    const int64_t n_experts = src0->ne[2];
    const int64_t n_tokens  = src1->ne[1];

    cudaStream_t stream = ctx.stream();
    cudaStream_t copy   = ctx.stream(MGML_CUDA_STREAM_COPY);

    // routing decisions are needed on the host to build one launch per expert
    int32_t * ids_host = (int32_t *) ctx.ids_host.get(mgml_nbytes(ids));
    CUDA_CHECK(cudaEventRecord(ctx.fork_event, stream));
    CUDA_CHECK(cudaStreamWaitEvent(copy, ctx.fork_event, 0));
    CUDA_CHECK(cudaMemcpyAsync(ids_host, ids->data, mgml_nbytes(ids), cudaMemcpyDeviceToHost, copy));
    CUDA_CHECK(cudaStreamSynchronize(copy));

    int32_t * rows_host = (int32_t *) ctx.rows_host.get(n_tokens * sizeof(int32_t));
    std::vector<int> first(n_experts + 1, 0);
    for (int64_t t = 0; t < n_tokens; t++) first[ids_host[t] + 1]++;
    for (int64_t e = 0; e < n_experts; e++) first[e + 1] += first[e];
    std::vector<int> fill(first.begin(), first.end() - 1);
    for (int64_t t = 0; t < n_tokens; t++) rows_host[fill[ids_host[t]]++] = (int32_t) t;

    int32_t * rows_dev = (int32_t *) ctx.rows_dev.get(n_tokens * sizeof(int32_t), stream);
    CUDA_CHECK(cudaMemcpyAsync(rows_dev, rows_host, n_tokens * sizeof(int32_t), cudaMemcpyHostToDevice, stream));

    const dim3 block(32, 4);
    for (int64_t e = 0; e < n_experts; e++) {
        const int n = first[e + 1] - first[e];
        if (n == 0) continue;
        const dim3 grid((unsigned) ((nrows + 3) / 4), (unsigned) n);
        k_expert_matvec<<<grid, block, 0, stream>>>((const float *) src0->data + e * nrows * ncols,
                                                    (const float *) src1->data, (float *) dst->data,
                                                    rows_dev + first[e], (int) ncols, (int) nrows);
        CUDA_CHECK(cudaGetLastError());
    }
}

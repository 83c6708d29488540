#include "spx_internal.h"

#include <stdlib.h>

static __global__ void csr_rows(int first, int last, double alpha, const int *row_ptr, const int *col_idx,
                                const double *values, const double *x, double beta, double *y)
{
    int row = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= last) return;
    double sum = 0.0;
    for (int k = row_ptr[row]; k < row_ptr[row + 1]; k++) sum += values[k] * x[col_idx[k]];
    y[row] = beta == 0.0 ? alpha * sum : alpha * sum + beta * y[row];
}

static void cut_rows(spx_csr_t m, const int *row_ptr)
{
    int row = 0;
    m->cut[0] = 0;
    for (int i = 1; i < SPX_LANES; i++) {
        long long share = (long long)m->nnz * i / SPX_LANES;
        while (row < m->rows && row_ptr[row] < share) row++;
        m->cut[i] = row;
    }
    m->cut[SPX_LANES] = m->rows;
}

static spx_status_t upload(void **device, const void *host, size_t bytes, cudaStream_t stream)
{
    if (cudaMalloc(device, bytes ? bytes : 1) != cudaSuccess) return SPX_ALLOC_FAILED;
    SPX_TRY(cudaMemcpyAsync(*device, host, bytes, cudaMemcpyHostToDevice, stream));
    return SPX_SUCCESS;
}

extern "C" spx_status_t spx_csr_destroy(spx_csr_t m)
{
    if (!m) return SPX_INVALID_VALUE;
    cudaFree(m->row_ptr);
    cudaFree(m->col_idx);
    cudaFree(m->values);
    free(m);
    return SPX_SUCCESS;
}

extern "C" spx_status_t spx_csr_create(spx_handle_t h, spx_csr_t *matrix, int rows, int cols, const int *row_ptr,
                                       const int *col_idx, const double *values)
{
    if (!h || !matrix || rows < 0 || cols < 0 || !row_ptr) return SPX_INVALID_VALUE;
    spx_csr_t m = (spx_csr_t)calloc(1, sizeof(*m));
    if (!m) return SPX_ALLOC_FAILED;
    m->rows = rows;
    m->cols = cols;
    m->nnz = row_ptr[rows];
    cut_rows(m, row_ptr);

    spx_status_t status = upload((void **)&m->row_ptr, row_ptr, sizeof(int) * (rows + 1), h->stream);
    if (status == SPX_SUCCESS) status = upload((void **)&m->col_idx, col_idx, sizeof(int) * m->nnz, h->stream);
    if (status == SPX_SUCCESS) status = upload((void **)&m->values, values, sizeof(double) * m->nnz, h->stream);
    if (cudaStreamSynchronize(h->stream) != cudaSuccess && status == SPX_SUCCESS) status = SPX_CUDA_FAILED;
    if (status != SPX_SUCCESS) {
        spx_csr_destroy(m);
        return status;
    }
    *matrix = m;
    return SPX_SUCCESS;
}

extern "C" spx_status_t spx_spmv(spx_handle_t h, double alpha, spx_csr_t m, const double *x, double beta, double *y)
{
    if (!h || !m || !x || !y) return SPX_INVALID_VALUE;
    for (int i = 0; i < SPX_LANES; i++) {
        int rows = m->cut[i + 1] - m->cut[i];
        if (rows == 0) continue;
        SPX_TRY(cudaStreamWaitEvent(h->lane[i], h->fork, 0));
        csr_rows<<<(rows + 127) / 128, 128, 0, h->lane[i]>>>(m->cut[i], m->cut[i + 1], alpha, m->row_ptr, m->col_idx,
                                                             m->values, x, beta, y);
        SPX_TRY(cudaGetLastError());
        SPX_TRY(cudaEventRecord(h->join[i], h->lane[i]));
        SPX_TRY(cudaStreamWaitEvent(h->stream, h->join[i], 0));
    }
    return SPX_SUCCESS;
}

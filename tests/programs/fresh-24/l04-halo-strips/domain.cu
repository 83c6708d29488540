#include "domain.h"

__device__ static void burn(unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ static void react_diffuse(const cell_t *src, cell_t *dst, int cols, int cost_us)
{
    int row = blockIdx.x + 1;
    burn((unsigned long long)cost_us * 1000ull);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        const cell_t *at = src + (size_t)row * cols;
        cell_t w = at[(c + cols - 1) % cols];
        cell_t e = at[(c + 1) % cols];
        cell_t n = src[(size_t)(row - 1) * cols + c];
        cell_t s = src[(size_t)(row + 1) * cols + c];
        dst[(size_t)row * cols + c] = 3u * at[c] + 5u * w + 7u * e + 11u * n + 13u * s;
    }
}

void domain_open(domain *dom, const sim_opts *opt, const cell_t *init)
{
    dom->opt = *opt;
    dom->chunk = (size_t)(opt->rows + 2) * opt->cols;
    size_t bytes = dom->chunk * opt->slabs * sizeof(cell_t);
    for (int k = 0; k < 2; k++) {
        CU(cudaMalloc((void **)&dom->level[k], bytes));
        CU(cudaMemset(dom->level[k], 0, bytes));
    }
    CU(cudaMemcpy(dom->level[0], init, bytes, cudaMemcpyHostToDevice));
    for (int d = 0; d < opt->slabs; d++) {
        CU(cudaStreamCreateWithFlags(&dom->lane[d], cudaStreamNonBlocking));
        for (int k = 0; k < 2; k++)
            CU(cudaEventCreateWithFlags(&dom->stepped[k][d], cudaEventDisableTiming));
    }
    CU(cudaDeviceSynchronize());
}

void domain_step(domain *dom, int d, int cur, int nxt)
{
    react_diffuse<<<dom->opt.rows, 128, 0, dom->lane[d]>>>(
        slab_row(dom, cur, d, 0), slab_row(dom, nxt, d, 0), dom->opt.cols,
        dom->opt.cost_us + d * dom->opt.skew_us);
    CU(cudaGetLastError());
    CU(cudaEventRecord(dom->stepped[cur][d], dom->lane[d]));
}

void domain_pull_halo(domain *dom, int d, int nxt, int tag)
{
    int n = dom->opt.slabs, rows = dom->opt.rows;
    size_t line = (size_t)dom->opt.cols * sizeof(cell_t);
    int lo = (d + n - 1) % n;
    int hi = (d + 1) % n;

    CU(cudaStreamWaitEvent(dom->lane[d], dom->stepped[tag][lo], 0));
    CU(cudaMemcpyAsync(slab_row(dom, nxt, d, 0), slab_row(dom, nxt, lo, rows), line,
                       cudaMemcpyDeviceToDevice, dom->lane[d]));
    CU(cudaStreamWaitEvent(dom->lane[d], dom->stepped[tag][hi], 0));
    CU(cudaMemcpyAsync(slab_row(dom, nxt, d, rows + 1), slab_row(dom, nxt, hi, 1), line,
                       cudaMemcpyDeviceToDevice, dom->lane[d]));
}

void domain_advance(domain *dom)
{
    for (int it = 0; it < dom->opt.steps; it++) {
        int cur = it % 2, nxt = (it + 1) % 2;
        for (int d = 0; d < dom->opt.slabs; d++)
            domain_step(dom, d, cur, nxt);
        for (int d = 0; d < dom->opt.slabs; d++)
            domain_pull_halo(dom, d, nxt, cur);
    }
}

void domain_fetch(domain *dom, cell_t *out)
{
    for (int d = 0; d < dom->opt.slabs; d++)
        CU(cudaStreamSynchronize(dom->lane[d]));
    CU(cudaMemcpy(out, dom->level[dom->opt.steps % 2],
                  dom->chunk * dom->opt.slabs * sizeof(cell_t), cudaMemcpyDeviceToHost));
}

void domain_close(domain *dom)
{
    for (int d = 0; d < dom->opt.slabs; d++) {
        for (int k = 0; k < 2; k++)
            CU(cudaEventDestroy(dom->stepped[k][d]));
        CU(cudaStreamDestroy(dom->lane[d]));
    }
    CU(cudaFree(dom->level[0]));
    CU(cudaFree(dom->level[1]));
}

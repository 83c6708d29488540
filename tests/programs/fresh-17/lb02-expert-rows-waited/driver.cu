#include "mgml.h"
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstring>

// One mixture-of-experts layer; the weights of the next layer are prefetched next to it.
int main() {
    const int K = 64, M = 64, E = 8, T = 96;
    mgml_backend_t be = mgml_backend_cuda_init(0);

    mgml_tensor w, x, logits, ids, y, next;
    mgml_tensor_init(&w, MGML_TYPE_F32, K, M, E, "experts");
    mgml_tensor_init(&x, MGML_TYPE_F32, K, T, 1, "x");
    mgml_tensor_init(&logits, MGML_TYPE_F32, E, T, 1, "logits");
    mgml_tensor_init(&ids, MGML_TYPE_I32, T, 1, 1, "ids");
    mgml_tensor_init(&y, MGML_TYPE_F32, M, T, 1, "y");
    mgml_tensor_init(&next, MGML_TYPE_F32, 64 << 20, 1, 1, "next_layer");   // 256 MiB
    for (mgml_tensor * t : { &w, &x, &logits, &ids, &y, &next })
        if (mgml_backend_tensor_alloc(be, t) != MGML_STATUS_SUCCESS) { printf("WRONG alloc\n"); return 1; }
    ids.op = MGML_OP_ARGMAX_ROWS; ids.src[0] = &logits;
    y.op = MGML_OP_MUL_MAT_ID; y.src[0] = &w; y.src[1] = &x; y.src[2] = &ids;
    mgml_tensor * graph[] = { &ids, &y };

    float *hw, *hx, *hl, *hy, *hnext;
    cudaMallocHost(&hw, mgml_nbytes(&w)); cudaMallocHost(&hx, mgml_nbytes(&x));
    cudaMallocHost(&hl, mgml_nbytes(&logits)); cudaMallocHost(&hy, mgml_nbytes(&y));
    cudaMallocHost(&hnext, mgml_nbytes(&next));
    memset(hnext, 0, mgml_nbytes(&next));
    for (int e = 0; e < E; e++) for (int i = 0; i < K * M; i++) hw[e * K * M + i] = (float) (e + 1);
    for (int i = 0; i < K * T; i++) hx[i] = 1.0f;
    mgml_backend_tensor_set_async(be, &w, hw, mgml_nbytes(&w));
    mgml_backend_tensor_set_async(be, &x, hx, mgml_nbytes(&x));

    int wrong = 0, total = 0;
    for (int it = 0; it < 6; it++) {
        for (int t = 0; t < T; t++)
            for (int e = 0; e < E; e++) hl[t * E + e] = (e == (t * 3 + it) % E) ? 1.0f : 0.0f;
        mgml_backend_tensor_set_async(be, &logits, hl, mgml_nbytes(&logits));
        mgml_backend_synchronize(be);
        if (it > 0) for (int r = 0; r < 6; r++) mgml_backend_tensor_prefetch(be, &next, hnext, mgml_nbytes(&next));
        if (mgml_backend_graph_compute(be, graph, 2) != MGML_STATUS_SUCCESS) { printf("WRONG status\n"); return 1; }
        mgml_backend_prefetch_wait(be);
        mgml_backend_tensor_get_async(be, &y, hy, mgml_nbytes(&y));
        mgml_backend_synchronize(be);
        for (int t = 0; t < T; t++) {
            const float want = (float) (K * ((t * 3 + it) % E + 1));
            for (int m = 0; m < M; m++) { total++; if (fabsf(hy[t * M + m] - want) > 0.5f) wrong++; }
        }
    }
    for (mgml_tensor * t : { &w, &x, &logits, &ids, &y, &next }) mgml_backend_tensor_free(be, t);
    mgml_backend_free(be);
    if (wrong) { printf("WRONG %d of %d outputs came from another expert\n", wrong, total); return 1; }
    printf("DONE\n");
    return 0;
}

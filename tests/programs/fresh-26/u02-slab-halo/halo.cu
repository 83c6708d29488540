#include "slab.h"

cudaStream_t g_comm[NRANK];
cudaEvent_t  g_ev_edge[NRANK * 2];
cudaEvent_t  g_ev_step[NRANK * 2];
cudaEvent_t  g_ev_halo[NRANK * 2];

#define ROW_BYTES (sizeof(float) * NX)
#define ROW(f, j) ((f) + (size_t)(j) * PITCH)

void halo_setup(void)
{
    for (int r = 0; r < NRANK; ++r)
        CK(cudaStreamCreateWithFlags(&g_comm[r], cudaStreamNonBlocking));
    for (int i = 0; i < NRANK * 2; ++i) {
        CK(cudaEventCreateWithFlags(&g_ev_edge[i], cudaEventDisableTiming));
        CK(cudaEventCreateWithFlags(&g_ev_step[i], cudaEventDisableTiming));
        CK(cudaEventCreateWithFlags(&g_ev_halo[i], cudaEventDisableTiming));
    }
}

void halo_teardown(void)
{
    for (int r = 0; r < NRANK; ++r)
        CK(cudaStreamDestroy(g_comm[r]));
    for (int i = 0; i < NRANK * 2; ++i) {
        CK(cudaEventDestroy(g_ev_edge[i]));
        CK(cudaEventDestroy(g_ev_step[i]));
        CK(cudaEventDestroy(g_ev_halo[i]));
    }
}

/* Sends the edge rows of time level nxt to the neighbours above and below,
 * while the interiors are still being computed. */
void halo_exchange(int cur, int nxt)
{
    for (int r = 0; r < NRANK; ++r) {
        const int    up = RANK_UP(r), dn = RANK_DN(r);
        const float *mine = g_field[r][nxt];
        cudaStream_t s = g_comm[r];

        CK(cudaStreamWaitEvent(s, STEP_EV(up, cur), 0));
        CK(cudaStreamWaitEvent(s, STEP_EV(dn, cur), 0));
        CK(cudaStreamWaitEvent(s, EDGE_EV(r, nxt), 0));
        CK(cudaMemcpyAsync(ROW(g_field[up][nxt], 0), ROW(mine, NY), ROW_BYTES,
                           cudaMemcpyDeviceToDevice, s));
        CK(cudaMemcpyAsync(ROW(g_field[dn][nxt], NY + 1), ROW(mine, 1), ROW_BYTES,
                           cudaMemcpyDeviceToDevice, s));
        CK(cudaEventRecord(HALO_EV(r, nxt), s));
    }
}

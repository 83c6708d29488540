/* stages.cpp - the stages of a shot, except the boundary */
#include "rtm.h"

struct rtm_common rtmenv_ = { RTM_NX, RTM_NT, RTM_WIDTH, RTM_PACE, nullptr, nullptr, {} };

void rtm_launch(enum rtm_kernel_id id, unsigned blocks, void **args) {
    DRV(cuLaunchKernel(rtmenv_.fn[id], blocks, 1, 1, RTM_THREADS, 1, 1,
                       0, rtmenv_.stream, args, nullptr));
}

static unsigned line_blocks(void) {
    return (unsigned)((rtmenv_.nx + RTM_THREADS - 1) / RTM_THREADS);
}

void stage_inject(struct rtm_slot *s, struct rtm_shot *shot) {
    void *args[] = { &s->p, &s->q, &s->wav, &rtmenv_.nx };
    RT(cudaMemcpyAsync(s->wav, shot->wavelet, rtmenv_.nx * sizeof(double),
                       cudaMemcpyHostToDevice, s->stream));
    rtm_launch(K_INJECT, line_blocks(), args);
}

void stage_propagate(struct rtm_slot *s, struct rtm_shot *) {
    void *args[] = { &s->p, &s->q, &rtmenv_.vel, &rtmenv_.nx, &rtmenv_.nt, &rtmenv_.pace };
    rtm_launch(K_PROPAGATE, 1, args);
}

void stage_image(struct rtm_slot *s, struct rtm_shot *shot) {
    void *args[] = { &s->img, &s->p, &rtmenv_.nx };
    rtm_launch(K_IMAGE, line_blocks(), args);
    RT(cudaMemcpyAsync(shot->gather, s->p, rtmenv_.nx * sizeof(double),
                       cudaMemcpyDeviceToHost, s->stream));
}

#include "device.h"

const char *const kRelaxPtx = R"ptx(
.version 8.0
.target sm_90
.address_size 64

.visible .entry relax_sweep(
    .param .u64 p_data,
    .param .u32 p_cells,
    .param .u64 p_ns,
    .param .f32 p_add)
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<10>;
    .reg .f32 %f<4>;

    ld.param.u64 %rd1, [p_data];
    ld.param.u32 %r1, [p_cells];
    ld.param.u64 %rd2, [p_ns];
    ld.param.f32 %f1, [p_add];
    mov.u64 %rd3, %globaltimer;
SPIN:
    nanosleep.u32 1000;
    mov.u64 %rd4, %globaltimer;
    sub.u64 %rd5, %rd4, %rd3;
    setp.lt.u64 %p1, %rd5, %rd2;
    @%p1 bra SPIN;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p2, %r5, %r1;
    @%p2 bra LEAVE;
    cvta.to.global.u64 %rd6, %rd1;
    mul.wide.u32 %rd7, %r5, 4;
    add.u64 %rd8, %rd6, %rd7;
    ld.global.f32 %f2, [%rd8];
    add.f32 %f3, %f2, %f1;
    st.global.f32 [%rd8], %f3;
LEAVE:
    ret;
}
)ptx";

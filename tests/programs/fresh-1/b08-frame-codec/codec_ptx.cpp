#include "codec.h"

/* Pixel kernels, one thread per pixel. */
const char *const codec_ptx = R"PTX(
.version 8.0
.target sm_90
.address_size 64

.visible .entry decode(.param .u64 p_dst, .param .u32 p_n, .param .u32 p_frame)
{
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %a<4>;
    ld.param.u64 %a0, [p_dst];
    ld.param.u32 %r0, [p_n];
    ld.param.u32 %r1, [p_frame];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r0;
    @%p bra OUT;
    mad.lo.u32 %r6, %r5, 5, %r1;
    cvta.to.global.u64 %a0, %a0;
    mul.wide.u32 %a1, %r5, 4;
    add.u64 %a2, %a0, %a1;
    st.global.u32 [%a2], %r6;
OUT:
    ret;
}

.visible .entry filter(.param .u64 p_src, .param .u64 p_dst, .param .u32 p_n)
{
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %a<6>;
    ld.param.u64 %a0, [p_src];
    ld.param.u64 %a1, [p_dst];
    ld.param.u32 %r0, [p_n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r0;
    @%p bra OUT;
    cvta.to.global.u64 %a0, %a0;
    cvta.to.global.u64 %a1, %a1;
    mul.wide.u32 %a2, %r5, 4;
    add.u64 %a3, %a0, %a2;
    add.u64 %a4, %a1, %a2;
    ld.global.u32 %r6, [%a3];
    mad.lo.u32 %r7, %r6, 3, 1;
    st.global.u32 [%a4], %r7;
OUT:
    ret;
}

.visible .entry pack(.param .u64 p_src, .param .u64 p_dst, .param .u32 p_n)
{
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %a<6>;
    ld.param.u64 %a0, [p_src];
    ld.param.u64 %a1, [p_dst];
    ld.param.u32 %r0, [p_n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r0;
    @%p bra OUT;
    cvta.to.global.u64 %a0, %a0;
    cvta.to.global.u64 %a1, %a1;
    mul.wide.u32 %a2, %r5, 4;
    add.u64 %a3, %a0, %a2;
    add.u64 %a4, %a1, %a2;
    ld.global.u32 %r6, [%a3];
    xor.b32 %r7, %r6, 0x5a5a;
    st.global.u32 [%a4], %r7;
OUT:
    ret;
}
)PTX";

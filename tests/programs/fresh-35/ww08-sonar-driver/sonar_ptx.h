// Kernels of the sonar pipeline. All entries share one signature:
//   (u64 out, u64 in, u32 ping, u32 cells, u32 ns)
#pragma once

#define SONAR_ENTRY(NAME, BODY)                                      \
    ".visible .entry " NAME "(\n"                                    \
    "  .param .u64 p_out, .param .u64 p_in,\n"                       \
    "  .param .u32 p_ping, .param .u32 p_cells, .param .u32 p_ns)\n" \
    "{\n"                                                            \
    "  .reg .pred %p<3>;\n"                                          \
    "  .reg .b32 %r<16>;\n"                                          \
    "  .reg .b64 %rd<16>;\n"                                         \
    "  ld.param.u64 %rd1, [p_out];\n"                                \
    "  ld.param.u64 %rd2, [p_in];\n"                                 \
    "  ld.param.u32 %r1, [p_ping];\n"                                \
    "  ld.param.u32 %r2, [p_cells];\n"                               \
    "  ld.param.u32 %r3, [p_ns];\n"                                  \
    "  cvt.u64.u32 %rd3, %r3;\n"                                     \
    "  cvta.to.global.u64 %rd1, %rd1;\n"                             \
    "  cvta.to.global.u64 %rd2, %rd2;\n"                             \
    "  mov.u64 %rd4, %globaltimer;\n"                                \
    "DWELL:\n"                                                       \
    "  mov.u64 %rd5, %globaltimer;\n"                                \
    "  sub.s64 %rd6, %rd5, %rd4;\n"                                  \
    "  setp.lt.u64 %p1, %rd6, %rd3;\n"                               \
    "  @%p1 bra DWELL;\n"                                            \
    "  mov.u32 %r4, %ctaid.x;\n"                                     \
    "  mov.u32 %r5, %ntid.x;\n"                                      \
    "  mov.u32 %r6, %tid.x;\n"                                       \
    "  mad.lo.u32 %r7, %r4, %r5, %r6;\n"                             \
    "  setp.ge.u32 %p2, %r7, %r2;\n"                                 \
    "  @%p2 bra OUT;\n"                                              \
    "  mul.wide.u32 %rd7, %r7, 4;\n"                                 \
    "  add.u64 %rd8, %rd1, %rd7;\n"                                  \
    "  add.u64 %rd9, %rd2, %rd7;\n"                                  \
    BODY                                                             \
    "OUT:\n"                                                         \
    "  ret;\n"                                                       \
    "}\n"

static const char kSonarPtx[] =
    ".version 8.0\n"
    ".target sm_90\n"
    ".address_size 64\n"
    // out[i] = (ping * 2654435761 + i * 40503) >> 8
    SONAR_ENTRY("ingest",
                "  mul.lo.u32 %r8, %r7, 40503;\n"
                "  mad.lo.u32 %r9, %r1, 0x9E3779B1, %r8;\n"
                "  shr.u32 %r10, %r9, 8;\n"
                "  st.global.u32 [%rd8], %r10;\n")
    // out[i] = in[i] + 3 * in[(i + 1) % cells] + ping
    SONAR_ENTRY("beamform",
                "  add.u32 %r8, %r7, 1;\n"
                "  rem.u32 %r9, %r8, %r2;\n"
                "  mul.wide.u32 %rd10, %r9, 4;\n"
                "  add.u64 %rd11, %rd2, %rd10;\n"
                "  ld.global.u32 %r10, [%rd11];\n"
                "  ld.global.u32 %r11, [%rd9];\n"
                "  mad.lo.u32 %r12, %r10, 3, %r11;\n"
                "  add.u32 %r13, %r12, %r1;\n"
                "  st.global.u32 [%rd8], %r13;\n")
    // out[ping] = max(out[ping], in[i])
    SONAR_ENTRY("detect",
                "  mul.wide.u32 %rd10, %r1, 4;\n"
                "  add.u64 %rd11, %rd1, %rd10;\n"
                "  ld.global.u32 %r8, [%rd9];\n"
                "  red.global.max.u32 [%rd11], %r8;\n");

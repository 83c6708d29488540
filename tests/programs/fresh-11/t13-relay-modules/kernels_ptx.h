#pragma once

// Device code of the relay, one image per stage.
namespace images {

constexpr const char* decode = R"ptx(
.version 8.0
.target sm_90
.address_size 64
.visible .entry decode(
	.param .u64 decode_param_0,
	.param .u64 decode_param_1,
	.param .u64 decode_param_2,
	.param .u32 decode_param_3,
	.param .u32 decode_param_4
)
{
	.reg .pred 	%p<5>;
	.reg .b32 	%r<14>;
	.reg .b64 	%rd<10>;
	ld.param.u64 	%rd3, [decode_param_0];
	ld.param.u64 	%rd4, [decode_param_1];
	ld.param.u64 	%rd5, [decode_param_2];
	ld.param.u32 	%r6, [decode_param_3];
	ld.param.u32 	%r7, [decode_param_4];
	setp.eq.s32 	%p1, %r6, 0;
	@%p1 bra 	$L__BB0_6;
	mov.u32 	%r1, %tid.x;
	setp.ge.u32 	%p2, %r1, %r6;
	@%p2 bra 	$L__BB0_4;
	mov.u32 	%r2, %ntid.x;
	cvta.to.global.u64 	%rd1, %rd4;
	cvta.to.global.u64 	%rd2, %rd3;
	mul.lo.s32 	%r3, %r7, %r6;
	mov.u32 	%r13, %r1;
$L__BB0_3:
	add.s32 	%r8, %r13, %r3;
	mul.wide.u32 	%rd6, %r8, 4;
	add.s64 	%rd7, %rd2, %rd6;
	ld.global.u32 	%r9, [%rd7];
	mad.lo.s32 	%r10, %r9, 3, 1;
	add.s64 	%rd8, %rd1, %rd6;
	st.global.u32 	[%rd8], %r10;
	add.s32 	%r13, %r13, %r2;
	setp.lt.u32 	%p3, %r13, %r6;
	@%p3 bra 	$L__BB0_3;
$L__BB0_4:
	membar.gl;
	bar.sync 	0;
	setp.ne.s32 	%p4, %r1, 0;
	@%p4 bra 	$L__BB0_6;
	add.s32 	%r11, %r7, 1;
	cvta.to.global.u64 	%rd9, %rd5;
	atom.global.exch.b32 	%r12, [%rd9], %r11;
$L__BB0_6:
	ret;
}
)ptx";

constexpr const char* drain = R"ptx(
.version 8.0
.target sm_90
.address_size 64
.visible .entry drain(
	.param .u64 drain_param_0,
	.param .u64 drain_param_1,
	.param .u64 drain_param_2,
	.param .u32 drain_param_3,
	.param .u32 drain_param_4
)
{
	.reg .pred 	%p<8>;
	.reg .b32 	%r<17>;
	.reg .b64 	%rd<22>;
	ld.param.u64 	%rd7, [drain_param_0];
	ld.param.u64 	%rd9, [drain_param_1];
	ld.param.u64 	%rd8, [drain_param_2];
	ld.param.u32 	%r7, [drain_param_3];
	ld.param.u32 	%r8, [drain_param_4];
	cvta.to.global.u64 	%rd1, %rd9;
	setp.eq.s32 	%p1, %r8, 0;
	@%p1 bra 	$L__BB0_10;
	mov.u32 	%r1, %tid.x;
	mov.u32 	%r2, %ntid.x;
	cvta.to.global.u64 	%rd2, %rd8;
	mov.u32 	%r15, 0;
$L__BB0_2:
	setp.ne.s32 	%p2, %r1, 0;
	@%p2 bra 	$L__BB0_6;
	ld.volatile.global.u32 	%r10, [%rd1];
	setp.gt.u32 	%p3, %r10, %r15;
	@%p3 bra 	$L__BB0_5;
$L__BB0_4:
	mov.u32 	%r11, 500;
	nanosleep.u32 %r11;
	ld.volatile.global.u32 	%r12, [%rd1];
	setp.le.u32 	%p4, %r12, %r15;
	@%p4 bra 	$L__BB0_4;
$L__BB0_5:
	membar.gl;
$L__BB0_6:
	setp.ge.u32 	%p5, %r1, %r7;
	bar.sync 	0;
	mov.u64 	%rd21, 0;
	@%p5 bra 	$L__BB0_9;
	mul.lo.s32 	%r13, %r15, %r7;
	cvt.u64.u32 	%rd3, %r13;
	mov.u64 	%rd21, 0;
	mov.u32 	%r16, %r1;
$L__BB0_8:
	cvt.u64.u32 	%rd13, %r16;
	add.s64 	%rd14, %rd13, %rd3;
	shl.b64 	%rd15, %rd14, 2;
	add.s64 	%rd12, %rd7, %rd15;
	ld.global.cg.u32 %r14, [%rd12];
	cvt.u64.u32 	%rd16, %r14;
	add.s64 	%rd21, %rd21, %rd16;
	add.s32 	%r16, %r16, %r2;
	setp.lt.u32 	%p6, %r16, %r7;
	@%p6 bra 	$L__BB0_8;
$L__BB0_9:
	mul.wide.u32 	%rd17, %r15, 8;
	add.s64 	%rd18, %rd2, %rd17;
	atom.global.add.u64 	%rd19, [%rd18], %rd21;
	bar.sync 	0;
	add.s32 	%r15, %r15, 1;
	setp.lt.u32 	%p7, %r15, %r8;
	@%p7 bra 	$L__BB0_2;
$L__BB0_10:
	ret;
}
)ptx";

}  // namespace images

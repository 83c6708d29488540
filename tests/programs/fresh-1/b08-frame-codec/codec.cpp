#include "codec.h"

#include <string.h>

/* Order of the steps of one frame. */
static const codec_step next_step[] = {
    /* STEP_CREDIT */ STEP_DECODE,
    /* STEP_DECODE */ STEP_FILTER,
    /* STEP_FILTER */ STEP_EXPORT,
    /* STEP_EXPORT */ STEP_END,
};

static void launch(CUfunction fn, CUstream stream, unsigned pixels, void **args)
{
    DR(cuLaunchKernel(fn, (pixels + 255) / 256, 1, 1, 256, 1, 1, 0, stream, args, NULL));
}

static void step_credit(codec *c, unsigned frame)
{
    if (frame < CODEC_DEPTH)
        return;
    DR(cuStreamWaitValue32(c->io, c->released, frame - CODEC_DEPTH + 1, CU_STREAM_WAIT_VALUE_GEQ));
}

static void step_decode(codec *c, unsigned frame)
{
    void *args[] = {&c->raw[frame % CODEC_DEPTH], &c->pixels, &frame};
    launch(c->decode, c->io, c->pixels, args);
    DR(cuStreamWriteValue32(c->io, c->ready, frame + 1, CU_STREAM_WRITE_VALUE_DEFAULT));
}

static void step_filter(codec *c, unsigned frame)
{
    void *args[] = {&c->raw[frame % CODEC_DEPTH], &c->flt[frame % CODEC_DEPTH], &c->pixels};
    DR(cuStreamWaitValue32(c->compute, c->ready, frame + 1, CU_STREAM_WAIT_VALUE_GEQ));
    launch(c->filter, c->compute, c->pixels, args);
    DR(cuStreamWriteValue32(c->compute, c->filtered, frame + 1, CU_STREAM_WRITE_VALUE_DEFAULT));
}

static void export_frame(codec *c, unsigned frame)
{
    CUdeviceptr dst = c->output + (size_t)frame * c->pixels * sizeof(unsigned);
    void *args[] = {&c->flt[frame % CODEC_DEPTH], &dst, &c->pixels};
    DR(cuStreamWaitValue32(c->io, c->filtered, frame + 1, CU_STREAM_WAIT_VALUE_GEQ));
    launch(c->pack, c->io, c->pixels, args);
    DR(cuStreamWriteValue32(c->io, c->released, frame + 1, CU_STREAM_WRITE_VALUE_DEFAULT));
}

static void step_export(codec *c, unsigned frame)
{
    if (frame >= CODEC_DEPTH)
        export_frame(c, frame - CODEC_DEPTH);
}

void codec_open(codec *c, unsigned pixels, unsigned frames)
{
    memset(c, 0, sizeof *c);
    c->pixels = pixels;
    c->frames = frames;
    DR(cuInit(0));
    DR(cuDeviceGet(&c->dev, 0));
    DR(cuDevicePrimaryCtxRetain(&c->ctx, c->dev));
    DR(cuCtxSetCurrent(c->ctx));
    DR(cuModuleLoadData(&c->module, codec_ptx));
    DR(cuModuleGetFunction(&c->decode, c->module, "decode"));
    DR(cuModuleGetFunction(&c->filter, c->module, "filter"));
    DR(cuModuleGetFunction(&c->pack, c->module, "pack"));
    DR(cuFuncLoad(c->decode));
    DR(cuFuncLoad(c->filter));
    DR(cuFuncLoad(c->pack));
    DR(cuStreamCreate(&c->io, CU_STREAM_NON_BLOCKING));
    DR(cuStreamCreate(&c->compute, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < CODEC_DEPTH; ++i) {
        DR(cuMemAlloc(&c->raw[i], pixels * sizeof(unsigned)));
        DR(cuMemAlloc(&c->flt[i], pixels * sizeof(unsigned)));
    }
    DR(cuMemAlloc(&c->output, (size_t)frames * pixels * sizeof(unsigned)));
    CUdeviceptr *word[] = {&c->ready, &c->filtered, &c->released};
    for (int i = 0; i < 3; ++i) {
        DR(cuMemAlloc(word[i], sizeof(unsigned)));
        DR(cuMemsetD32(*word[i], 0, 1));
    }
    DR(cuCtxSynchronize());
}

void codec_frame(codec *c, unsigned frame)
{
    for (codec_step s = STEP_CREDIT; s != STEP_END; s = next_step[s]) {
        switch (s) {
        case STEP_CREDIT: step_credit(c, frame); break;
        case STEP_DECODE: step_decode(c, frame); break;
        case STEP_FILTER: step_filter(c, frame); break;
        case STEP_EXPORT: step_export(c, frame); break;
        case STEP_END: break;
        }
    }
}

void codec_flush(codec *c)
{
    unsigned first = c->frames > CODEC_DEPTH ? c->frames - CODEC_DEPTH : 0;
    for (unsigned f = first; f < c->frames; ++f)
        export_frame(c, f);
    DR(cuStreamSynchronize(c->io));
    DR(cuStreamSynchronize(c->compute));
}

void codec_read(codec *c, unsigned *dst)
{
    DR(cuMemcpyDtoH(dst, c->output, (size_t)c->frames * c->pixels * sizeof(unsigned)));
}

void codec_close(codec *c)
{
    DR(cuStreamDestroy(c->io));
    DR(cuStreamDestroy(c->compute));
    for (int i = 0; i < CODEC_DEPTH; ++i) {
        DR(cuMemFree(c->raw[i]));
        DR(cuMemFree(c->flt[i]));
    }
    DR(cuMemFree(c->output));
    DR(cuMemFree(c->ready));
    DR(cuMemFree(c->filtered));
    DR(cuMemFree(c->released));
    DR(cuModuleUnload(c->module));
    DR(cuDevicePrimaryCtxRelease(c->dev));
}

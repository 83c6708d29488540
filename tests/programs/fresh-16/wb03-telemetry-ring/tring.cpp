#include "tring.h"

#include <new>

struct tring_s {
    tring_config config;
    CUdeviceptr frames;
    CUdeviceptr words;  // [0] frames published, [1] frames retired
    unsigned begun;
    unsigned peeked;
};

static CUdeviceptr published_word(tring_t r) { return r->words; }
static CUdeviceptr retired_word(tring_t r) { return r->words + sizeof(unsigned); }
static CUdeviceptr frame_at(tring_t r, unsigned index) {
    return r->frames + (index % r->config.depth) * r->config.frame_bytes;
}

extern "C" CUresult tring_create(tring_t* out, const tring_config* config) {
    if (!out || !config || config->depth == 0) return CUDA_ERROR_INVALID_VALUE;
    tring_t r = new (std::nothrow) tring_s();
    if (!r) return CUDA_ERROR_OUT_OF_MEMORY;
    r->config = *config;
    CUresult rc = cuMemAlloc(&r->frames, config->depth * config->frame_bytes);
    if (rc == CUDA_SUCCESS) rc = cuMemAlloc(&r->words, 2 * sizeof(unsigned));
    if (rc == CUDA_SUCCESS) rc = cuMemsetD32(r->words, 0, 2);
    if (rc == CUDA_SUCCESS) rc = cuCtxSynchronize();
    *out = r;
    return rc;
}

extern "C" CUresult tring_destroy(tring_t r) {
    if (!r) return CUDA_SUCCESS;
    CUresult rc = cuMemFree(r->words);
    CUresult rf = cuMemFree(r->frames);
    delete r;
    return rc != CUDA_SUCCESS ? rc : rf;
}

extern "C" CUresult tring_begin(tring_t r, CUstream stream, CUdeviceptr* frame) {
    const unsigned index = r->begun++;
    *frame = frame_at(r, index);
    if (index < r->config.depth) return CUDA_SUCCESS;
    return cuStreamWaitValue32(stream, retired_word(r), index - r->config.depth + 1,
                               CU_STREAM_WAIT_VALUE_GEQ);
}

extern "C" CUresult tring_commit(tring_t r, CUstream stream) {
    return cuStreamWriteValue32(stream, published_word(r), r->begun, CU_STREAM_WRITE_VALUE_DEFAULT);
}

extern "C" CUresult tring_peek(tring_t r, CUstream stream, CUdeviceptr* frame) {
    const unsigned index = r->peeked++;
    *frame = frame_at(r, index);
    return cuStreamWaitValue32(stream, published_word(r), index + 1, CU_STREAM_WAIT_VALUE_GEQ);
}

extern "C" CUresult tring_retire(tring_t r, CUstream stream) {
    return cuStreamWriteValue32(stream, retired_word(r), r->peeked, CU_STREAM_WRITE_VALUE_DEFAULT);
}

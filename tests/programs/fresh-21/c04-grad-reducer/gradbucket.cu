#include "gradbucket.h"

#include "bucket_kernel.cuh"

#include <new>
#include <vector>

struct gb_reducer {
    gb_options options{};
    std::vector<gb_param> params;
    gb::SegmentList open{};
    size_t open_bytes = 0;
    cudaStream_t side = nullptr;
    cudaEvent_t ready = nullptr;
    cudaEvent_t reduced = nullptr;
    cudaError_t last = cudaSuccess;
};

namespace {

gb_status note(gb_reducer *r, cudaError_t code) {
    if (code == cudaSuccess) return GB_OK;
    r->last = code;
    return GB_CUDA;
}

#define GB_TRY(call)                                  \
    do {                                              \
        const gb_status gb_try_status = note(r, call); \
        if (gb_try_status != GB_OK) return gb_try_status; \
    } while (0)

// Sends the open bucket to the side stream and starts an empty one.
gb_status seal(gb_reducer *r) {
    if (r->open.used == 0) return GB_OK;
    GB_TRY(cudaStreamWaitEvent(r->side, r->ready, 0));
    const dim3 grid(32, r->open.used);
    gb::accumulate<<<grid, 256, 0, r->side>>>(r->open, r->options.inv_scale);
    GB_TRY(cudaGetLastError());
    r->open.used = 0;
    r->open_bytes = 0;
    return GB_OK;
}

}  // namespace

gb_status gb_create(gb_reducer **out, const gb_options *options) {
    if (!out || !options || options->max_params <= 0 || options->bucket_bytes == 0) return GB_ARGUMENT;
    auto *r = new (std::nothrow) gb_reducer;
    if (!r) return GB_MEMORY;
    r->options = *options;
    r->params.reserve(static_cast<size_t>(options->max_params));
    cudaError_t code = cudaStreamCreateWithFlags(&r->side, cudaStreamNonBlocking);
    if (code == cudaSuccess) code = cudaEventCreateWithFlags(&r->ready, cudaEventDisableTiming);
    if (code == cudaSuccess) code = cudaEventCreateWithFlags(&r->reduced, cudaEventDisableTiming);
    if (code != cudaSuccess) {
        gb_destroy(r);
        return GB_CUDA;
    }
    *out = r;
    return GB_OK;
}

gb_status gb_register(gb_reducer *r, gb_param param, int *id) {
    if (!r || !id || !param.master || r->params.size() == static_cast<size_t>(r->options.max_params)) return GB_ARGUMENT;
    *id = static_cast<int>(r->params.size());
    r->params.push_back(param);
    return GB_OK;
}

gb_status gb_push(gb_reducer *r, int id, const float *grad, cudaStream_t stream) {
    if (!r || !grad || id < 0 || static_cast<size_t>(id) >= r->params.size()) return GB_ARGUMENT;
    const gb_param &param = r->params[static_cast<size_t>(id)];
    if (r->open.used == 0) GB_TRY(cudaEventRecord(r->ready, stream));
    r->open.at[r->open.used++] = gb::Segment{param.master, grad, param.count};
    r->open_bytes += param.count * sizeof(float);
    if (r->open.used == gb::kMaxSegments || r->open_bytes >= r->options.bucket_bytes) return seal(r);
    return GB_OK;
}

gb_status gb_flush(gb_reducer *r) {
    if (!r) return GB_ARGUMENT;
    return seal(r);
}

gb_status gb_join(gb_reducer *r, cudaStream_t stream) {
    if (!r) return GB_ARGUMENT;
    GB_TRY(cudaEventRecord(r->reduced, r->side));
    GB_TRY(cudaStreamWaitEvent(stream, r->reduced, 0));
    return GB_OK;
}

void gb_destroy(gb_reducer *r) {
    if (!r) return;
    if (r->side) cudaStreamSynchronize(r->side);
    if (r->reduced) cudaEventDestroy(r->reduced);
    if (r->ready) cudaEventDestroy(r->ready);
    if (r->side) cudaStreamDestroy(r->side);
    delete r;
}

cudaError_t gb_cuda_error(const gb_reducer *r) { return r ? r->last : cudaErrorInvalidValue; }

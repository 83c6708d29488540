#include "spx_internal.h"

#include <stdlib.h>

extern "C" spx_status_t spx_destroy(spx_handle_t h)
{
    if (!h) return SPX_INVALID_VALUE;
    for (int i = 0; i < SPX_LANES; i++) {
        if (h->lane[i]) cudaStreamDestroy(h->lane[i]);
        if (h->join[i]) cudaEventDestroy(h->join[i]);
    }
    if (h->fork) cudaEventDestroy(h->fork);
    free(h);
    return SPX_SUCCESS;
}

static spx_status_t open_lanes(spx_handle_t h)
{
    SPX_TRY(cudaEventCreateWithFlags(&h->fork, cudaEventDisableTiming));
    for (int i = 0; i < SPX_LANES; i++) {
        SPX_TRY(cudaStreamCreateWithFlags(&h->lane[i], cudaStreamNonBlocking));
        SPX_TRY(cudaEventCreateWithFlags(&h->join[i], cudaEventDisableTiming));
    }
    return spx_set_stream(h, NULL);
}

extern "C" spx_status_t spx_create(spx_handle_t *handle)
{
    if (!handle) return SPX_INVALID_VALUE;
    spx_handle_t h = (spx_handle_t)calloc(1, sizeof(*h));
    if (!h) return SPX_ALLOC_FAILED;
    spx_status_t status = open_lanes(h);
    if (status != SPX_SUCCESS) {
        spx_destroy(h);
        return status;
    }
    *handle = h;
    return SPX_SUCCESS;
}

extern "C" spx_status_t spx_set_stream(spx_handle_t h, cudaStream_t stream)
{
    if (!h) return SPX_INVALID_VALUE;
    h->stream = stream;
    return SPX_SUCCESS;
}

extern "C" spx_status_t spx_get_stream(spx_handle_t h, cudaStream_t *stream)
{
    if (!h || !stream) return SPX_INVALID_VALUE;
    *stream = h->stream;
    return SPX_SUCCESS;
}

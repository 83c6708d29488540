#include "hs.h"

#include <stdlib.h>
#include <string.h>

void hs_params_default(hs_params* prm)
{
    memset(prm, 0, sizeof(*prm));
    prm->blocks = 4;
    prm->planes = 4;
    prm->plane_cells = 1 << 16;
    prm->sweep_usec = 8000;
    prm->lock_min_bytes = (size_t)1 << 20;
}

size_t hs_plane_bytes(const hs_params* prm) { return sizeof(uint32_t) * (size_t)prm->plane_cells; }

int hs_host_get(hs_solver* s, size_t bytes, hs_host_buf* buf)
{
    buf->ptr = NULL;
    buf->bytes = bytes;
    buf->locked = bytes >= s->prm.lock_min_bytes;
    if (buf->locked) {
        HS_CU(s, cudaHostAlloc(&buf->ptr, bytes, cudaHostAllocDefault));
    } else {
        buf->ptr = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    }
    if (buf->ptr == NULL) return HS_ENOMEM;
    memset(buf->ptr, 0, bytes);
    return HS_OK;
}

void hs_host_put(hs_host_buf* buf)
{
    if (buf->ptr == NULL) return;
    if (buf->locked)
        cudaFreeHost(buf->ptr);
    else
        free(buf->ptr);
    buf->ptr = NULL;
}

#include "service.h"
#include <string.h>

fem_status ws_open(workspace *ws)
{
    memset(ws, 0, sizeof *ws);
    return FEM_OK;
}

fem_status ws_alloc(workspace *ws, size_t bytes, void **out)
{
    if (ws->count == WS_MAX_BLOCKS)
        return FEM_EFULL;
    ws_block *b = &ws->blocks[ws->count];
    FEM_TRY(cudaMalloc(&b->ptr, bytes));
    b->bytes = bytes;
    b->live = 1;
    ws->count++;
    *out = b->ptr;
    return FEM_OK;
}

/* Gives one block back; the caller no longer uses ptr. */
fem_status ws_release(workspace *ws, void *ptr)
{
    for (int i = 0; i < ws->count; ++i) {
        ws_block *b = &ws->blocks[i];
        if (!b->live || b->ptr != ptr)
            continue;
        FEM_TRY(cudaFree(b->ptr));
        b->live = 0;
        b->ptr = NULL;
        return FEM_OK;
    }
    return FEM_EARG;
}

fem_status ws_close(workspace *ws)
{
    for (int i = 0; i < ws->count; ++i) {
        if (ws->blocks[i].ptr)
            FEM_TRY(cudaFree(ws->blocks[i].ptr));
        ws->blocks[i].ptr = NULL;
    }
    ws->count = 0;
    return FEM_OK;
}

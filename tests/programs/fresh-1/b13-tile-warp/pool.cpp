#include "pool.h"

static void block_release(pool_block *b)
{
    if (b->mem)
        CU(cuMemFree(b->mem));
    b->mem = 0;
    b->bytes = 0;
}

pool_block *pool_get(block_pool *p, size_t bytes)
{
    pool_block *b = p->idle;
    if (b) {
        p->idle = b->next;
    } else {
        b = (pool_block *)calloc(1, sizeof *b);
        p->created++;
    }
    b->next = NULL;
    if (b->bytes < bytes) {
        block_release(b);
        CU(cuMemAlloc(&b->mem, bytes));
        b->bytes = bytes;
    }
    return b;
}

void pool_put(block_pool *p, pool_block *b)
{
    b->next = p->idle;
    p->idle = b;
}

void pool_drop(block_pool *p)
{
    while (p->idle) {
        pool_block *b = p->idle;
        p->idle = b->next;
        block_release(b);
        free(b);
    }
}

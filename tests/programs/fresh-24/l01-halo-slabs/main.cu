#include "domain.h"
#include <string.h>

/* Whole domain on the host, without slabs: slabs * rows lines of cols cells. */
static void host_run(const sim_opts *o, cell_t *grid)
{
    int lines = o->slabs * o->rows, cols = o->cols;
    size_t cells = (size_t)lines * cols;
    cell_t *tmp = (cell_t *)malloc(cells * sizeof(cell_t));
    for (int it = 0; it < o->steps; it++) {
        for (int y = 0; y < lines; y++)
            for (int x = 0; x < cols; x++) {
                const cell_t *at = grid + (size_t)y * cols;
                cell_t n = grid[(size_t)((y + lines - 1) % lines) * cols + x];
                cell_t s = grid[(size_t)((y + 1) % lines) * cols + x];
                tmp[(size_t)y * cols + x] = 3u * at[x] + 5u * at[(x + cols - 1) % cols] +
                                            7u * at[(x + 1) % cols] + 11u * n + 13u * s;
            }
        memcpy(grid, tmp, cells * sizeof(cell_t));
    }
    free(tmp);
}

int main(void)
{
    sim_opts opt = {4, 16, 256, 7, 3000, 4000};
    int lines = opt.slabs * opt.rows;
    size_t chunk = (size_t)(opt.rows + 2) * opt.cols;

    cell_t *grid = (cell_t *)malloc((size_t)lines * opt.cols * sizeof(cell_t));
    cell_t *packed = (cell_t *)malloc(chunk * opt.slabs * sizeof(cell_t));
    for (int i = 0; i < lines * opt.cols; i++)
        grid[i] = (cell_t)i * 2654435761u + 17u;
    for (int d = 0; d < opt.slabs; d++)
        for (int r = 0; r < opt.rows + 2; r++) {
            int y = (d * opt.rows + r - 1 + lines) % lines;
            memcpy(packed + d * chunk + (size_t)r * opt.cols, grid + (size_t)y * opt.cols,
                   opt.cols * sizeof(cell_t));
        }

    domain dom;
    domain_open(&dom, &opt, packed);
    domain_advance(&dom);
    domain_fetch(&dom, packed);
    domain_close(&dom);

    host_run(&opt, grid);
    long bad = 0;
    for (int d = 0; d < opt.slabs; d++)
        for (int r = 0; r < opt.rows; r++)
            for (int c = 0; c < opt.cols; c++)
                bad += packed[d * chunk + (size_t)(r + 1) * opt.cols + c] !=
                       grid[(size_t)(d * opt.rows + r) * opt.cols + c];
    free(grid);
    free(packed);
    if (bad) {
        printf("WRONG %ld\n", bad);
        return 2;
    }
    printf("DONE\n");
    return 0;
}

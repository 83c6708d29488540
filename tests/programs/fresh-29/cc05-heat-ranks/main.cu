/* Heat conduction on a plate cut into horizontal bands, one band a rank. */
#include "heat.h"

#include <math.h>

int main(void)
{
    const int rows = RANKS * ROWS;
    float *plate = (float *)calloc((size_t)NX * (rows + 2), sizeof(float));
    float *result = (float *)calloc((size_t)NX * (rows + 2), sizeof(float));
    for (int y = 1; y <= rows; ++y)
        for (int x = 0; x < NX; ++x) plate[y * NX + x] = 50.f + 30.f * sinf(0.05f * x) * cosf(0.07f * y);

    rank_t ranks[RANKS];
    for (int r = 0; r < RANKS; ++r) {
        rank_create(&ranks[r]);
        CUDA_TRY(cudaMemcpy(ranks[r].u[0] + NX, plate + (size_t)(1 + r * ROWS) * NX, sizeof(float) * NX * ROWS,
                            cudaMemcpyHostToDevice));
    }
    CUDA_TRY(cudaDeviceSynchronize());

    run(ranks, STEPS);

    const int last = STEPS % 2;
    for (int r = 0; r < RANKS; ++r) {
        CUDA_TRY(cudaMemcpy(result + (size_t)(1 + r * ROWS) * NX, ranks[r].u[last] + NX, sizeof(float) * NX * ROWS,
                            cudaMemcpyDeviceToHost));
        rank_destroy(&ranks[r]);
    }
    host_reference(plate, STEPS);

    int wrong = 0;
    for (int y = 1; y <= rows; ++y)
        for (int x = 0; x < NX; ++x)
            if (!(fabsf(result[y * NX + x] - plate[y * NX + x]) < 1e-2f)) ++wrong;
    if (wrong) printf("WRONG %d\n", wrong);
    else printf("DONE\n");
    free(plate);
    free(result);
    return wrong != 0;
}

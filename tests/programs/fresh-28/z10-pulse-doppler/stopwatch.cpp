#include "radar.h"

cudaError_t stopwatch_init(stopwatch *w)
{
    RADAR_RETURN(cudaEventCreate(&w->first));
    return cudaEventCreate(&w->last);
}

cudaError_t stopwatch_start(stopwatch *w) { return cudaEventRecord(w->first, 0); }

cudaError_t stopwatch_stop(stopwatch *w, float *ms)
{
    RADAR_RETURN(cudaEventRecord(w->last, 0));
    RADAR_RETURN(cudaEventSynchronize(w->last));
    return cudaEventElapsedTime(ms, w->first, w->last);
}

void stopwatch_free(stopwatch *w)
{
    cudaEventDestroy(w->last);
    cudaEventDestroy(w->first);
}

/* Device times of named sections, over many frames.
 *
 *     sp_create(&p, upload_stream, 256);
 *     for each frame:
 *         sp_frame(p);
 *         h = sp_open(p, "filter", stream);
 *         filter<<<..., stream>>>(...);
 *         sp_close(p, h);
 *     synchronise the streams
 *     sp_collect(p);
 *     sp_find(p, "filter", &stats);
 *
 * A section's time runs on the device, from the point of its stream where it is opened to the point of the same stream
 * where it is closed. Sections of different streams may overlap, those of one stream may nest. The home
 * stream carries the marks of the frames. sp_collect() expects everything that was enqueued to be finished; it
 * adds the new times to the statistics and makes the marks available again. Functions return 0 or a cudaError_t;
 * sp_open() returns a handle, or -1 when there are no marks left. For one host thread.
 */
#ifndef SECPROF_H
#define SECPROF_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SP_NAME_LENGTH 32

typedef struct sp_profiler sp_profiler;

typedef struct {
    char name[SP_NAME_LENGTH];
    unsigned calls;
    double total_ms, min_ms, max_ms;
} sp_stats;

int sp_create(sp_profiler **out, cudaStream_t home, int max_sections);
void sp_destroy(sp_profiler *p);

int sp_frame(sp_profiler *p);
int sp_open(sp_profiler *p, const char *name, cudaStream_t stream);
int sp_close(sp_profiler *p, int handle);

int sp_collect(sp_profiler *p);
int sp_find(const sp_profiler *p, const char *name, sp_stats *out);

/* Mean distance of two frame marks in milliseconds, 0 before there are two. */
double sp_frame_interval(const sp_profiler *p);

#ifdef __cplusplus
}
#endif

#endif

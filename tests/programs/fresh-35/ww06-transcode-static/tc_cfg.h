/*
 * tc_cfg.h - static configuration of the transcoder
 *
 * No dynamic host memory, no recursion, all tables of fixed size.
 */
#ifndef TC_CFG_H
#define TC_CFG_H

#include <stdint.h>
#include <cuda_runtime.h>

#define TC_MAX_SESSIONS   4U
#define TC_MAX_STAGES     2U
#define TC_FRAMES         5U
#define TC_PIXELS         16384U
#define TC_BLOCK          256U
#define TC_GRID           (TC_PIXELS / TC_BLOCK)
#define TC_STAGE_NS       10000000ULL

typedef enum { TC_ST_CLOSED = 0, TC_ST_READY, TC_ST_RUNNING, TC_ST_FAULT } tc_state_t;

typedef struct {
    uint8_t       id;
    tc_state_t    state;
    uint32_t      frames_queued;
    uint32_t      scratch_words;      /* capacity */
    uint32_t     *scratch;            /* device   */
    uint32_t     *frame;              /* device   */
    cudaStream_t  queue;
    cudaError_t   fault;
} tc_session_t;

typedef struct {
    uint32_t   words_per_pixel;
    cudaError_t (*submit)(const tc_session_t *s);
    uint32_t  (*model)(uint32_t pixel);
} tc_stage_t;

extern const tc_stage_t tc_stages[TC_MAX_STAGES];

/* tc_core.cu */
cudaError_t tc_open_all(void);
cudaError_t tc_run(uint32_t frames);
uint32_t    tc_compare(uint32_t frames);
void        tc_close_all(void);

#endif

/*
 * tc_core.cu - session table and scheduler
 */
#include "tc_cfg.h"

static tc_session_t sessions[TC_MAX_SESSIONS];
static uint32_t     io_buf[TC_PIXELS];

static uint32_t source_pixel(uint8_t id, uint32_t i)
{
    return ((uint32_t)id * 7919U) + (i * 31U) + 3U;
}

/* make room for one stage */
static cudaError_t fit_scratch(tc_session_t *s, uint32_t words)
{
    cudaError_t rc = cudaSuccess;

    if (words > s->scratch_words) {
        rc = cudaFree(s->scratch);
        if (rc == cudaSuccess) {
            rc = cudaMalloc((void **)&s->scratch, (size_t)words * sizeof(uint32_t));
        }
        s->scratch_words = (rc == cudaSuccess) ? words : 0U;
    }
    return rc;
}

static cudaError_t open_one(tc_session_t *s, uint8_t id)
{
    cudaError_t rc;

    s->id = id;
    s->state = TC_ST_CLOSED;
    rc = cudaStreamCreateWithFlags(&s->queue, cudaStreamNonBlocking);
    if (rc == cudaSuccess) {
        rc = cudaMalloc((void **)&s->frame, sizeof(io_buf));
    }
    if (rc == cudaSuccess) {
        for (uint32_t i = 0U; i < TC_PIXELS; i++) {
            io_buf[i] = source_pixel(id, i);
        }
        rc = cudaMemcpy(s->frame, io_buf, sizeof(io_buf), cudaMemcpyHostToDevice);
    }
    s->state = (rc == cudaSuccess) ? TC_ST_READY : TC_ST_FAULT;
    return rc;
}

cudaError_t tc_open_all(void)
{
    cudaError_t rc = cudaSuccess;

    for (uint8_t k = 0U; (k < TC_MAX_SESSIONS) && (rc == cudaSuccess); k++) {
        rc = open_one(&sessions[k], k);
    }
    return (rc == cudaSuccess) ? cudaDeviceSynchronize() : rc;
}

static void step(tc_session_t *s, const tc_stage_t *stage)
{
    if (s->state != TC_ST_FAULT) {
        s->state = TC_ST_RUNNING;
        s->fault = fit_scratch(s, stage->words_per_pixel * TC_PIXELS);
        if (s->fault == cudaSuccess) {
            s->fault = stage->submit(s);
        }
        if (s->fault != cudaSuccess) {
            s->state = TC_ST_FAULT;
        }
    }
}

cudaError_t tc_run(uint32_t frames)
{
    cudaError_t rc = cudaSuccess;

    for (uint32_t f = 0U; f < frames; f++) {
        for (uint32_t g = 0U; g < TC_MAX_STAGES; g++) {
            for (uint32_t k = 0U; k < TC_MAX_SESSIONS; k++) {
                step(&sessions[k], &tc_stages[g]);
            }
        }
    }
    for (uint32_t k = 0U; (k < TC_MAX_SESSIONS) && (rc == cudaSuccess); k++) {
        rc = sessions[k].fault;
        if (rc == cudaSuccess) {
            rc = cudaStreamSynchronize(sessions[k].queue);
            sessions[k].frames_queued += frames;
            sessions[k].state = TC_ST_READY;
        }
    }
    return rc;
}

uint32_t tc_compare(uint32_t frames)
{
    uint32_t wrong = 0U;

    for (uint32_t k = 0U; k < TC_MAX_SESSIONS; k++) {
        if (cudaMemcpy(io_buf, sessions[k].frame, sizeof(io_buf), cudaMemcpyDeviceToHost) != cudaSuccess) {
            return TC_PIXELS;
        }
        for (uint32_t i = 0U; i < TC_PIXELS; i++) {
            uint32_t p = source_pixel((uint8_t)k, i);
            for (uint32_t f = 0U; f < frames; f++) {
                for (uint32_t g = 0U; g < TC_MAX_STAGES; g++) {
                    p = tc_stages[g].model(p);
                }
            }
            wrong += (p != io_buf[i]) ? 1U : 0U;
        }
    }
    return wrong;
}

void tc_close_all(void)
{
    for (uint32_t k = 0U; k < TC_MAX_SESSIONS; k++) {
        (void)cudaFree(sessions[k].scratch);
        (void)cudaFree(sessions[k].frame);
        (void)cudaStreamDestroy(sessions[k].queue);
        sessions[k].state = TC_ST_CLOSED;
    }
}

#include "vx_pool.h"

enum { WIDTH = 320, HEIGHT = 180, PIXELS = WIDTH * HEIGHT, FRAMES = 10, SURFACES = 2, BLOCKS = 8, THREADS = 256 };

typedef struct filter_ctx {
    const char *name;
    cudaStream_t stream;
    unsigned long long *digests; /* one per frame, device */
    unsigned cost_ms;
} filter_ctx;

static __device__ uint32_t texel(int frame, int i)
{
    return (uint32_t)(frame * 1009 + i % 251);
}

__global__ void decode_frame(uint32_t *dst, int frame)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS; i += gridDim.x * blockDim.x)
        dst[i] = texel(frame, i);
}

__global__ void digest_frame(const uint32_t *src, unsigned long long *digest, unsigned cost_ms)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < cost_ms * 1000000ull);

    unsigned long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS; i += gridDim.x * blockDim.x)
        sum += __ldcg(src + i);
    atomicAdd(digest, sum);
}

static void filter_open(filter_ctx *f, const char *name, unsigned cost_ms)
{
    f->name = name;
    f->cost_ms = cost_ms;
    VX_TRY(cudaStreamCreateWithFlags(&f->stream, cudaStreamNonBlocking));
    VX_TRY(cudaMalloc((void **)&f->digests, FRAMES * sizeof(*f->digests)));
    VX_TRY(cudaMemsetAsync(f->digests, 0, FRAMES * sizeof(*f->digests), f->stream));
}

static void filter_push(filter_ctx *f, vx_surface *s, cudaEvent_t decoded, int frame)
{
    VX_TRY(cudaStreamWaitEvent(f->stream, decoded, 0));
    digest_frame<<<BLOCKS, THREADS, 0, f->stream>>>(s->pixels, f->digests + frame, f->cost_ms);
    VX_TRY(cudaGetLastError());
    vx_surface_unref(s, f->stream);
}

static int filter_close(filter_ctx *f)
{
    unsigned long long got[FRAMES];
    int bad = 0;
    VX_TRY(cudaStreamSynchronize(f->stream));
    VX_TRY(cudaMemcpy(got, f->digests, sizeof(got), cudaMemcpyDeviceToHost));
    for (int frame = 0; frame < FRAMES; frame++) {
        unsigned long long want = 0;
        for (int i = 0; i < PIXELS; i++)
            want += (unsigned long long)(frame * 1009 + i % 251);
        if (got[frame] != want) {
            fprintf(stderr, "%s: frame %d differs\n", f->name, frame);
            bad++;
        }
    }
    VX_TRY(cudaFree(f->digests));
    VX_TRY(cudaStreamDestroy(f->stream));
    return bad;
}

int main(void)
{
    vx_pool pool;
    filter_ctx thumbs, encoder;
    cudaStream_t decoder;
    cudaEvent_t decoded[FRAMES];

    vx_pool_init(&pool, SURFACES, PIXELS);
    VX_TRY(cudaStreamCreateWithFlags(&decoder, cudaStreamNonBlocking));
    filter_open(&thumbs, "thumbnails", 40);
    filter_open(&encoder, "encoder", 2);

    for (int frame = 0; frame < FRAMES; frame++) {
        vx_surface *s = vx_pool_get(&pool, decoder);
        if (!s) {
            printf("ERROR noSurface\n");
            return 1;
        }
        decode_frame<<<BLOCKS, THREADS, 0, decoder>>>(s->pixels, frame);
        VX_TRY(cudaGetLastError());
        VX_TRY(cudaEventCreateWithFlags(&decoded[frame], cudaEventDisableTiming));
        VX_TRY(cudaEventRecord(decoded[frame], decoder));

        vx_surface_ref(s);
        filter_push(&thumbs, s, decoded[frame], frame);
        filter_push(&encoder, s, decoded[frame], frame);
    }

    int bad = filter_close(&thumbs) + filter_close(&encoder);
    VX_TRY(cudaStreamSynchronize(decoder));
    for (int frame = 0; frame < FRAMES; frame++)
        VX_TRY(cudaEventDestroy(decoded[frame]));
    VX_TRY(cudaStreamDestroy(decoder));
    vx_pool_uninit(&pool);

    if (bad)
        printf("WRONG %d\n", bad);
    else
        printf("DONE\n");
    return 0;
}

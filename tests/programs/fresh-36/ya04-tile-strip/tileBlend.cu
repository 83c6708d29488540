/*
 * This sample sharpens a strip of image tiles. Tiles are uploaded, blurred, sharpened and
 * downloaded through a small ring of device slots; three streams carry the three stages and
 * events hand the slots from one stage to the next.
 */

#include "helper_sample.h"
#include "tileBlend.h"

#include <vector>

static const int kSlots = 2;

struct Slot {
    float *image;
    float *blurred;
    float *result;
    cudaEvent_t uploaded; // image holds the tile
    cudaEvent_t released; // image may be replaced
    cudaEvent_t finished; // result holds the sharpened tile
    cudaEvent_t drained;  // result may be replaced
};

struct Pipeline {
    Slot slots[kSlots];
    cudaStream_t upload;
    cudaStream_t compute;
    cudaStream_t download;
};

static void createPipeline(Pipeline *p, TileShape shape) {
    for (int i = 0; i < kSlots; ++i) {
        Slot &s = p->slots[i];
        checkCudaErrors(cudaMalloc(&s.image, shape.bytes()));
        checkCudaErrors(cudaMalloc(&s.blurred, shape.bytes()));
        checkCudaErrors(cudaMalloc(&s.result, shape.bytes()));
        checkCudaErrors(cudaEventCreateWithFlags(&s.uploaded, cudaEventDisableTiming));
        checkCudaErrors(cudaEventCreateWithFlags(&s.released, cudaEventDisableTiming));
        checkCudaErrors(cudaEventCreateWithFlags(&s.finished, cudaEventDisableTiming));
        checkCudaErrors(cudaEventCreateWithFlags(&s.drained, cudaEventDisableTiming));
    }
    checkCudaErrors(cudaStreamCreateWithFlags(&p->upload, cudaStreamNonBlocking));
    checkCudaErrors(cudaStreamCreateWithFlags(&p->compute, cudaStreamNonBlocking));
    checkCudaErrors(cudaStreamCreateWithFlags(&p->download, cudaStreamNonBlocking));
}

static void destroyPipeline(Pipeline *p) {
    for (int i = 0; i < kSlots; ++i) {
        Slot &s = p->slots[i];
        checkCudaErrors(cudaFree(s.image));
        checkCudaErrors(cudaFree(s.blurred));
        checkCudaErrors(cudaFree(s.result));
        checkCudaErrors(cudaEventDestroy(s.uploaded));
        checkCudaErrors(cudaEventDestroy(s.released));
        checkCudaErrors(cudaEventDestroy(s.finished));
        checkCudaErrors(cudaEventDestroy(s.drained));
    }
    checkCudaErrors(cudaStreamDestroy(p->upload));
    checkCudaErrors(cudaStreamDestroy(p->compute));
    checkCudaErrors(cudaStreamDestroy(p->download));
}

static void enqueueTile(Pipeline *p, int tile, TileShape shape, BlendParams params,
                        const float *h_image, float *h_result) {
    Slot &s = p->slots[tile % kSlots];
    const size_t offset = (size_t)tile * shape.count();

    checkCudaErrors(cudaStreamWaitEvent(p->upload, s.released, 0));
    checkCudaErrors(cudaMemcpyAsync(s.image, h_image + offset, shape.bytes(),
                                    cudaMemcpyHostToDevice, p->upload));
    checkCudaErrors(cudaEventRecord(s.uploaded, p->upload));

    checkCudaErrors(cudaStreamWaitEvent(p->compute, s.uploaded, 0));
    launchBlurRows(s.blurred, s.image, shape, p->compute);
    checkCudaErrors(cudaStreamWaitEvent(p->compute, s.drained, 0));
    launchUnsharp(s.result, s.image, s.blurred, shape, params, p->compute);
    checkCudaErrors(cudaEventRecord(s.released, p->compute));
    checkCudaErrors(cudaEventRecord(s.finished, p->compute));

    checkCudaErrors(cudaStreamWaitEvent(p->download, s.finished, 0));
    checkCudaErrors(cudaMemcpyAsync(h_result + offset, s.result, shape.bytes(),
                                    cudaMemcpyDeviceToHost, p->download));
    checkCudaErrors(cudaEventRecord(s.drained, p->download));
}

int main(int argc, char **argv) {
    printf("[tileBlend] - Starting...\n");
    findCudaDevice(argc, argv);

    TileShape shape;
    shape.width = getCmdLineInt(argc, argv, "width", 512);
    shape.height = getCmdLineInt(argc, argv, "height", 256);
    const int tiles = getCmdLineInt(argc, argv, "tiles", 16);
    BlendParams params;
    params.amount = 1.5f;
    params.workMicros = getCmdLineInt(argc, argv, "work", 20000);

    float *h_image, *h_result;
    checkCudaErrors(cudaMallocHost(&h_image, tiles * shape.bytes()));
    checkCudaErrors(cudaMallocHost(&h_result, tiles * shape.bytes()));
    for (int i = 0; i < tiles * shape.count(); ++i) {
        h_image[i] = (float)((i * 37 + (i / shape.count()) * 101) % 256) / 255.0f;
        h_result[i] = 0.0f;
    }

    Pipeline pipeline;
    createPipeline(&pipeline, shape);
    for (int t = 0; t < tiles; ++t) {
        enqueueTile(&pipeline, t, shape, params, h_image, h_result);
    }
    checkCudaErrors(cudaStreamSynchronize(pipeline.download));

    std::vector<float> gold(shape.count());
    int bad = 0;
    for (int t = 0; t < tiles; ++t) {
        const size_t offset = (size_t)t * shape.count();
        unsharpGold(gold.data(), h_image + offset, shape, params.amount);
        bad += compareTile(h_result + offset, gold.data(), shape, 1e-4f);
    }
    printf("Sharpened %d tiles of %d x %d\n", tiles, shape.width, shape.height);

    destroyPipeline(&pipeline);
    checkCudaErrors(cudaFreeHost(h_image));
    checkCudaErrors(cudaFreeHost(h_result));
    if (bad != 0) {
        printf("WRONG %d\n", bad);
        return EXIT_FAILURE;
    }
    printf("DONE\n");
    return EXIT_SUCCESS;
}

#include "stitcher.h"

namespace {

__device__ __forceinline__ unsigned long long nanoseconds() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Sums every picture column over all cameras, the seam search costs a fixed time per frame.
__global__ void stitchColumns(const std::uint8_t* pictures, std::uint32_t* columns, int cameras,
                              int width, int height, int seamNanoseconds) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned long long begin = nanoseconds();
    if (x < width) {
        std::uint32_t sum = 0;
        for (int c = 0; c < cameras; ++c)
            for (int y = 0; y < height; ++y)
                sum += pictures[(static_cast<std::size_t>(c) * height + y) * width + x];
        columns[x] = sum;
    }
    while (nanoseconds() - begin < static_cast<unsigned long long>(seamNanoseconds)) {
    }
}

}  // namespace

Stitcher::~Stitcher() {
    for (Panorama& pano : ring_) {
        cudaFree(pano.pictures);
        cudaFree(pano.columns);
        cudaFreeHost(pano.hostPictures);
        cudaFreeHost(pano.hostColumns);
        if (pano.genlock) cuMemFree(pano.genlock);
        if (pano.uploaded) cuEventDestroy(pano.uploaded);
        if (pano.stitched) cuEventDestroy(pano.stitched);
    }
    for (cudaStream_t stream : {upload_, compute_, control_})
        if (stream) cudaStreamDestroy(stream);
}

Status Stitcher::start() {
    RETURN_IF_BAD(cudaSetDevice(0));
    for (cudaStream_t* stream : {&upload_, &compute_, &control_})
        RETURN_IF_BAD(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    const std::size_t columnBytes = sizeof(std::uint32_t) * config_.width;
    for (Panorama& pano : ring_) {
        RETURN_IF_BAD(cudaMalloc(&pano.pictures, pictureBytes()));
        RETURN_IF_BAD(cudaMalloc(&pano.columns, columnBytes));
        RETURN_IF_BAD(cudaMallocHost(&pano.hostPictures, pictureBytes()));
        RETURN_IF_BAD(cudaMallocHost(&pano.hostColumns, columnBytes));
        RETURN_IF_BAD(cuMemAlloc(&pano.genlock, sizeof(std::uint32_t)));
        RETURN_IF_BAD(cuMemsetD32(pano.genlock, 0, 1));
        RETURN_IF_BAD(cuEventCreate(&pano.uploaded, CU_EVENT_DISABLE_TIMING));
        RETURN_IF_BAD(cuEventCreate(&pano.stitched, CU_EVENT_DISABLE_TIMING));
    }
    cudaFuncAttributes attributes;
    RETURN_IF_BAD(cudaFuncGetAttributes(&attributes, stitchColumns));
    RETURN_IF_BAD(cudaDeviceSynchronize());
    return Status::ok();
}

Status Stitcher::submit(std::uint32_t frame) {
    Panorama& pano = slot(frame);
    pano.frame = frame;
    pano.phase = Phase::Idle;
    while (pano.phase != Phase::Released) FORWARD_IF_BAD(advance(pano));
    return Status::ok();
}

Status Stitcher::advance(Panorama& pano) {
    switch (pano.phase) {
        case Phase::Idle:
            FORWARD_IF_BAD(upload(pano));
            pano.phase = Phase::Uploaded;
            break;
        case Phase::Uploaded:
            FORWARD_IF_BAD(arm(pano));
            pano.phase = Phase::Armed;
            break;
        case Phase::Armed:
            FORWARD_IF_BAD(release(pano));
            pano.phase = Phase::Released;
            break;
        case Phase::Released:
            break;
    }
    return Status::ok();
}

Status Stitcher::upload(Panorama& pano) {
    RETURN_IF_BAD(cudaMemcpyAsync(pano.pictures, pano.hostPictures, pictureBytes(),
                                  cudaMemcpyHostToDevice, upload_));
    RETURN_IF_BAD(cuEventRecord(pano.uploaded, upload_));
    return Status::ok();
}

Status Stitcher::arm(Panorama& pano) {
    RETURN_IF_BAD(cuStreamWaitValue32(compute_, pano.genlock, pano.frame, CU_STREAM_WAIT_VALUE_GEQ));
    const int threads = 128;
    const int blocks = (config_.width + threads - 1) / threads;
    stitchColumns<<<blocks, threads, 0, compute_>>>(pano.pictures, pano.columns, config_.cameras,
                                                    config_.width, config_.height,
                                                    config_.seamNanoseconds);
    RETURN_IF_BAD(cudaGetLastError());
    RETURN_IF_BAD(cudaMemcpyAsync(pano.hostColumns, pano.columns,
                                  sizeof(std::uint32_t) * config_.width, cudaMemcpyDeviceToHost,
                                  compute_));
    RETURN_IF_BAD(cuEventRecord(pano.stitched, compute_));
    return Status::ok();
}

Status Stitcher::release(Panorama& pano) {
    RETURN_IF_BAD(cuStreamWaitEvent(control_, pano.stitched, CU_EVENT_WAIT_DEFAULT));
    RETURN_IF_BAD(cuStreamWriteValue32(control_, pano.genlock, pano.frame,
                                       CU_STREAM_WRITE_VALUE_DEFAULT));
    return Status::ok();
}

Status Stitcher::collect(std::uint32_t frame, std::vector<std::uint32_t>* columns) {
    Panorama& pano = slot(frame);
    RETURN_IF_BAD(cuEventSynchronize(pano.stitched));
    columns->assign(pano.hostColumns, pano.hostColumns + config_.width);
    return Status::ok();
}

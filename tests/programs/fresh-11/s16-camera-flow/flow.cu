#include "flow.cuh"

namespace flow {

namespace {

constexpr unsigned long long kFlowNanos = 20ull * 1000 * 1000;

__global__ void estimateMotion(const int* previous, const int* current, int* motion, int n) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < kFlowNanos);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) motion[i] = 2 * current[i] - previous[i];
}

void makeEvent(cudaEvent_t* event) { verify(cudaEventCreateWithFlags(event, cudaEventDisableTiming)); }

}  // namespace

MotionPipeline::MotionPipeline() {
    for (cudaStream_t* stream : {&upload_, &compute_, &download_}) {
        verify(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    }
    const size_t bytes = kPixels * sizeof(int);
    for (Slot& slot : slots_) {
        verify(cudaMallocHost(&slot.hostImage, bytes));
        verify(cudaMallocHost(&slot.hostMotion, bytes));
        verify(cudaMalloc(&slot.image, bytes));
        verify(cudaMalloc(&slot.motion, bytes));
        makeEvent(&slot.uploaded);
        makeEvent(&slot.computed);
        makeEvent(&slot.downloaded);
    }
}

MotionPipeline::~MotionPipeline() {
    for (Slot& slot : slots_) {
        cudaEventDestroy(slot.downloaded);
        cudaEventDestroy(slot.computed);
        cudaEventDestroy(slot.uploaded);
        cudaFree(slot.motion);
        cudaFree(slot.image);
        cudaFreeHost(slot.hostMotion);
        cudaFreeHost(slot.hostImage);
    }
    cudaStreamDestroy(download_);
    cudaStreamDestroy(compute_);
    cudaStreamDestroy(upload_);
}

void MotionPipeline::publish(Slot& slot) {
    verify(cudaEventSynchronize(slot.downloaded));
    if (slot.frame < 0) return;
    for (const FrameObserver& observer : observers_) observer(slot.frame, slot.hostMotion);
    slot.frame = -1;
}

void MotionPipeline::begin(int frame, const FrameSource& source) {
    Slot& slot = slotOf(frame);
    Slot& before = frame > 0 ? slotOf(frame - 1) : slot;
    const Slot& next = slotOf(frame + 1);
    const size_t bytes = kPixels * sizeof(int);

    source(frame, slot.hostImage);
    slot.frame = frame;

    verify(cudaStreamWaitEvent(upload_, next.computed, 0));
    verify(cudaMemcpyAsync(slot.image, slot.hostImage, bytes, cudaMemcpyHostToDevice, upload_));
    verify(cudaEventRecord(slot.uploaded, upload_));

    verify(cudaStreamWaitEvent(compute_, slot.uploaded, 0));
    estimateMotion<<<(kPixels + 255) / 256, 256, 0, compute_>>>(before.image, slot.image, slot.motion,
                                                                kPixels);
    verify(cudaGetLastError());
    verify(cudaEventRecord(slot.computed, compute_));

    verify(cudaStreamWaitEvent(download_, slot.computed, 0));
    verify(cudaMemcpyAsync(slot.hostMotion, slot.motion, bytes, cudaMemcpyDeviceToHost, download_));
    verify(cudaEventRecord(slot.downloaded, download_));
}

void MotionPipeline::run(int frames, const FrameSource& source) {
    for (int frame = 0; frame < frames; ++frame) {
        publish(slotOf(frame));
        begin(frame, source);
    }
    for (int i = 0; i < kSlots; ++i) publish(slotOf(frames + i));
}

}  // namespace flow

#include "renderer.h"

namespace frame {
namespace {

constexpr int kThreads = 128;
constexpr int kBlocks = (kPixels + kThreads - 1) / kThreads;

struct Target {
    int* pixels;
    int scale;
};

__device__ int pixel() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__device__ void hold_for(long long ns) {
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void shadow_pass(const Camera* c, Target t) {
    hold_for(1200000);
    if (pixel() < kPixels) t.pixels[pixel()] = shadow_of(*c, pixel()) * t.scale;
}

__global__ void depth_pass(const Camera* c, Target t) {
    hold_for(400000);
    if (pixel() < kPixels) t.pixels[pixel()] = depth_of(*c, pixel()) * t.scale;
}

__global__ void normal_pass(const Camera* c, Target t) {
    hold_for(700000);
    if (pixel() < kPixels) t.pixels[pixel()] = normal_of(*c, pixel()) * t.scale;
}

__global__ void occlusion_pass(const int* depth, Target t) {
    const int p = pixel();
    if (p >= kPixels) return;
    const int right = p + 1 < kPixels ? depth[p + 1] : 0;
    const int below = p + kWidth < kPixels ? depth[p + kWidth] : 0;
    t.pixels[p] = occlusion_of(depth[p], right, below) * t.scale;
}

__global__ void composite_pass(const Camera* c, const int* shadow, const int* depth, const int* normal,
                               const int* occlusion, int* colour) {
    const int p = pixel();
    if (p < kPixels) colour[p] = composite_of(shadow[p], depth[p], normal[p], occlusion[p], c->exposure);
}

void CUDART_CB on_counted(void* p) {
    const Tally* t = static_cast<const Tally*>(p);
    t->frames->fetch_add(t->weight, std::memory_order_relaxed);
}

}  // namespace

void FrameSlot::count(cudaStream_t s, int weight) {
    tallies_.push_back(Tally{frames_, weight});
    gpu(cudaLaunchHostFunc(s, on_counted, &tallies_.back()));
}

void FrameSlot::encode(cudaStream_t s) {
    loom_.rewind();
    gpu(cudaMemcpyAsync(device_camera_, camera_, sizeof(Camera), cudaMemcpyHostToDevice, s));

    const Pass shadows = [this](cudaStream_t lane) {
        const Target t{shadow_, 1};
        shadow_pass<<<kBlocks, kThreads, 0, lane>>>(device_camera_, t);
        count(lane, 1);
    };
    const Pass geometry = [this](cudaStream_t lane) {
        together(loom_, lane,
                 {[this](cudaStream_t inner) {
                      const Target t{depth_, 1};
                      depth_pass<<<kBlocks, kThreads, 0, inner>>>(device_camera_, t);
                  },
                  [this](cudaStream_t inner) {
                      const Target t{normal_, 1};
                      normal_pass<<<kBlocks, kThreads, 0, inner>>>(device_camera_, t);
                      count(inner, 100);
                  }});
        const Target t{occlusion_, 1};
        occlusion_pass<<<kBlocks, kThreads, 0, lane>>>(depth_, t);
    };
    together(loom_, s, {shadows, geometry});

    composite_pass<<<kBlocks, kThreads, 0, s>>>(device_camera_, shadow_, depth_, normal_, occlusion_, colour_);
    gpu(cudaMemcpyAsync(image_, colour_, kPixels * sizeof(int), cudaMemcpyDeviceToHost, s));
    gpu(cudaGetLastError());
}

FrameSlot::FrameSlot(Loom& loom, cudaStream_t queue, std::atomic<int>* frames)
    : loom_(loom), queue_(queue), frames_(frames) {
    gpu(cudaMallocHost(reinterpret_cast<void**>(&camera_), sizeof(Camera)));
    gpu(cudaMallocHost(reinterpret_cast<void**>(&image_), kPixels * sizeof(int)));
    gpu(cudaMalloc(reinterpret_cast<void**>(&device_camera_), sizeof(Camera)));
    for (int** b : {&shadow_, &depth_, &normal_, &occlusion_, &colour_}) {
        gpu(cudaMalloc(reinterpret_cast<void**>(b), kPixels * sizeof(int)));
    }
    gpu(cudaEventCreateWithFlags(&shown_, cudaEventDisableTiming));

    *camera_ = Camera{0, 0, 1, 1};
    encode(queue_);
    gpu(cudaStreamSynchronize(queue_));

    cudaGraph_t graph;
    gpu(cudaStreamBeginCapture(queue_, cudaStreamCaptureModeGlobal));
    encode(queue_);
    gpu(cudaStreamEndCapture(queue_, &graph));
    gpu(cudaGraphInstantiate(&exec_, graph, 0));
    gpu(cudaGraphDestroy(graph));
}

FrameSlot::~FrameSlot() {
    cudaEventSynchronize(shown_);
    cudaGraphExecDestroy(exec_);
    cudaEventDestroy(shown_);
    for (int* b : {shadow_, depth_, normal_, occlusion_, colour_}) cudaFree(b);
    cudaFree(device_camera_);
    cudaFreeHost(camera_);
    cudaFreeHost(image_);
}

void FrameSlot::submit(const Camera& c) {
    gpu(cudaEventSynchronize(shown_));
    *camera_ = c;
    gpu(cudaGraphLaunch(exec_, queue_));
    gpu(cudaEventRecord(shown_, queue_));
}

const int* FrameSlot::image() {
    gpu(cudaEventSynchronize(shown_));
    return image_;
}

}  // namespace frame

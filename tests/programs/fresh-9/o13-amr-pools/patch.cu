#include "patch.h"

namespace amr {

namespace {
__global__ void fluxes(const double* field, double* flux, size_t n, double source) {
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
    while (t1 - t0 < 10000000ull);
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        flux[i] = 0.5 * field[i] + source;
}

__global__ void apply(double* field, const double* flux, size_t n) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) field[i] += flux[i];
}

__global__ void sumField(const double* field, size_t n, double* out) {
    __shared__ double part[256];
    double s = 0;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) s += field[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int w = 128; w; w >>= 1) {
        if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = part[0];
}
}  // namespace

Arena::Arena(cudaStream_t s) : stream_(s) {
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    must(cudaMemPoolCreate(&pool_, &props));
    uint64_t keep = UINT64_MAX;
    must(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
}

Arena::~Arena() { must(cudaMemPoolDestroy(pool_)); }

double* Arena::take(size_t n) {
    void* p = nullptr;
    must(cudaMallocFromPoolAsync(&p, n * sizeof(double), pool_, stream_));
    return static_cast<double*>(p);
}

void Arena::give(double* p) { must(cudaFreeAsync(p, stream_)); }

Level::Level(int depth, size_t cells) : depth_(depth), cells_(cells) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    arena_ = std::make_unique<Arena>(stream_);
    must(cudaMalloc(&field_, cells * sizeof(double)));
    must(cudaMalloc(&deviceSum_, sizeof(double)));
    must(cudaMallocHost(&sum_, sizeof(double)));
    must(cudaMemsetAsync(field_, 0, cells * sizeof(double), stream_));
    must(cudaStreamSynchronize(stream_));
}

Level::~Level() {
    must(cudaStreamSynchronize(stream_));
    arena_.reset();
    must(cudaFreeHost(sum_));
    must(cudaFree(deviceSum_));
    must(cudaFree(field_));
    must(cudaStreamDestroy(stream_));
}

void Level::substep(int step) {
    Patch flux(*arena_, cells_);
    fluxes<<<6, 256, 0, stream_>>>(field_, flux.data(), cells_, source(step));
    apply<<<6, 256, 0, stream_>>>(field_, flux.data(), cells_);
    sumField<<<1, 256, 0, stream_>>>(field_, cells_, deviceSum_);
    must(cudaGetLastError());
    must(cudaMemcpyAsync(sum_, deviceSum_, sizeof(double), cudaMemcpyDeviceToHost, stream_));
}

void Level::fetch() { must(cudaStreamSynchronize(stream_)); }

}  // namespace amr

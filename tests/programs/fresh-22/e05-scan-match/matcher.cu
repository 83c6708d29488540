#include "matcher.cuh"

namespace scan {
namespace {

__global__ void pairPoints(const Point* ref, const Point* mov, int n, int3 shift, int outlier, int4* residual,
                           unsigned char* weight)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int dx = ref[i].x - mov[i].x - shift.x;
        int dy = ref[i].y - mov[i].y - shift.y;
        int dz = ref[i].z - mov[i].z - shift.z;
        int d = abs(dx) + abs(dy) + abs(dz);
        residual[i] = make_int4(dx, dy, dz, d);
        weight[i] = d < outlier ? 2 : 1;
    }
}

__device__ void addTo(long long* sum, long long v)
{
    atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(v));
}

__global__ void sumShift(const int4* residual, const unsigned char* weight, int n, long long* sums)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        addTo(&sums[0], weight[i] * residual[i].x);
        addTo(&sums[1], weight[i] * residual[i].y);
        addTo(&sums[2], weight[i] * residual[i].z);
        addTo(&sums[3], weight[i]);
    }
}

__global__ void inspect(const int4* residual, int n, unsigned long long ns, long long* quality)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        addTo(quality, residual[i].w);
}

} // namespace

Matcher::Matcher(const std::vector<Point>& reference, const std::vector<Point>& moving, Settings settings)
    : settings_(settings), n_(static_cast<int>(reference.size()))
{
    require(cudaStreamCreateWithFlags(&solve_, cudaStreamNonBlocking));
    require(cudaStreamCreateWithFlags(&audit_, cudaStreamNonBlocking));
    require(cudaEventCreateWithFlags(&paired_, cudaEventDisableTiming));
    require(cudaMalloc(&reference_, n_ * sizeof(Point)));
    require(cudaMalloc(&moving_, n_ * sizeof(Point)));
    require(cudaMalloc(&sums_, 4 * sizeof(long long)));
    require(cudaMemcpy(reference_, reference.data(), n_ * sizeof(Point), cudaMemcpyHostToDevice));
    require(cudaMemcpy(moving_, moving.data(), n_ * sizeof(Point), cudaMemcpyHostToDevice));
    require(cudaDeviceSynchronize());
    pool_ = new CachingPool(solve_);
}

Matcher::~Matcher()
{
    delete pool_;
    cudaFree(sums_);
    cudaFree(moving_);
    cudaFree(reference_);
    cudaEventDestroy(paired_);
    cudaStreamDestroy(audit_);
    cudaStreamDestroy(solve_);
}

void Matcher::iterate(int (&shift)[3], long long* quality)
{
    Scratch<int4> residual(*pool_, n_);
    Scratch<unsigned char> weight(*pool_, n_);

    require(cudaMemsetAsync(sums_, 0, 4 * sizeof(long long), solve_));
    pairPoints<<<16, 256, 0, solve_>>>(reference_, moving_, n_, make_int3(shift[0], shift[1], shift[2]),
                                       settings_.outlier, residual.get(), weight.get());
    sumShift<<<16, 256, 0, solve_>>>(residual.get(), weight.get(), n_, sums_);
    require(cudaGetLastError());
    require(cudaEventRecord(paired_, solve_));
    require(cudaStreamWaitEvent(audit_, paired_, 0));
    inspect<<<2, 256, 0, audit_>>>(residual.get(), n_, settings_.inspection, quality);
    require(cudaGetLastError());

    long long sums[4];
    require(cudaMemcpyAsync(sums, sums_, sizeof(sums), cudaMemcpyDeviceToHost, solve_));
    require(cudaStreamSynchronize(solve_));
    for (int axis = 0; axis < 3; ++axis) shift[axis] += static_cast<int>(sums[axis] / (2 * sums[3]));
}

Outcome Matcher::align()
{
    Outcome out;
    out.quality.resize(settings_.iterations);
    Scratch<long long> quality(*pool_, settings_.iterations);
    quality.sharedWith(audit_);
    require(cudaMemsetAsync(quality.get(), 0, settings_.iterations * sizeof(long long), solve_));
    for (int k = 0; k < settings_.iterations; ++k) iterate(out.shift, quality.get() + k);
    require(cudaStreamSynchronize(audit_));
    require(cudaMemcpy(out.quality.data(), quality.get(), out.quality.size() * sizeof(long long), cudaMemcpyDeviceToHost));
    return out;
}

} // namespace scan

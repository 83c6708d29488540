#include "mdrunner.h"

namespace mdk
{

namespace
{

constexpr int c_threadsPerBlock = 128;

int numBlocks(int n)
{
    return (n + c_threadsPerBlock - 1) / c_threadsPerBlock;
}

__device__ unsigned long long deviceNanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void springForces(const float* x, float* f, int begin, int end, float k, int pairlistMicros)
{
    const unsigned long long start = deviceNanoseconds();
    const int                i     = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end)
    {
        f[i] = -k * x[i];
    }
    while (deviceNanoseconds() - start < pairlistMicros * 1000ULL) {}
}

__global__ void leapFrog(float* x, float* v, const float* f, int n, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        v[i] += dt * f[i];
        x[i] += dt * v[i];
    }
}

} // namespace

MdRunner::MdRunner(const SystemParameters& parameters, const WallCycleOptions& options) :
    parameters_(parameters), wcycle_(streams_, options)
{
    const size_t bytes = (parameters.numLocal + parameters.numNonLocal) * sizeof(float);
    MDK_DEVICE_CALL(cudaMalloc(&d_x_, bytes));
    MDK_DEVICE_CALL(cudaMalloc(&d_v_, bytes));
    MDK_DEVICE_CALL(cudaMalloc(&d_f_, bytes));
    for (cudaEvent_t* event : { &nonLocalDone_, &localDone_, &coordinatesReady_ })
    {
        MDK_DEVICE_CALL(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    }
}

MdRunner::~MdRunner()
{
    (void)cudaDeviceSynchronize();
    for (cudaEvent_t event : { nonLocalDone_, localDone_, coordinatesReady_ })
    {
        (void)cudaEventDestroy(event);
    }
    (void)cudaFree(d_x_);
    (void)cudaFree(d_v_);
    (void)cudaFree(d_f_);
}

void MdRunner::setCoordinates(const std::vector<float>& x)
{
    const cudaStream_t stream = streams_.stream(DeviceStreamType::UpdateAndConstraints);
    const size_t       bytes  = x.size() * sizeof(float);
    MDK_DEVICE_CALL(cudaMemcpyAsync(d_x_, x.data(), bytes, cudaMemcpyHostToDevice, stream));
    MDK_DEVICE_CALL(cudaMemsetAsync(d_v_, 0, bytes, stream));
    MDK_DEVICE_CALL(cudaEventRecord(coordinatesReady_, stream));
    MDK_DEVICE_CALL(cudaStreamSynchronize(stream));
}

std::vector<float> MdRunner::coordinates()
{
    const cudaStream_t stream = streams_.stream(DeviceStreamType::UpdateAndConstraints);
    std::vector<float> x(parameters_.numLocal + parameters_.numNonLocal);
    MDK_DEVICE_CALL(cudaMemcpyAsync(
            x.data(), d_x_, x.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
    MDK_DEVICE_CALL(cudaStreamSynchronize(stream));
    return x;
}

void MdRunner::doStep()
{
    WallCycleScope     stepScope(&wcycle_, WallCycleCounter::Step);
    const cudaStream_t local    = streams_.stream(DeviceStreamType::NonBondedLocal);
    const cudaStream_t nonLocal = streams_.stream(DeviceStreamType::NonBondedNonLocal);
    const cudaStream_t update   = streams_.stream(DeviceStreamType::UpdateAndConstraints);
    const int          numLocal = parameters_.numLocal;
    const int          numAll   = parameters_.numLocal + parameters_.numNonLocal;

    {
        WallCycleScope scope(&wcycle_, WallCycleCounter::LaunchGpuLocal);
        MDK_DEVICE_CALL(cudaStreamWaitEvent(local, coordinatesReady_, 0));
        springForces<<<numBlocks(numLocal), c_threadsPerBlock, 0, local>>>(
                d_x_, d_f_, 0, numLocal, parameters_.springConstant, parameters_.pairlistMicros);
        MDK_DEVICE_CALL(cudaGetLastError());
        MDK_DEVICE_CALL(cudaEventRecord(localDone_, local));
    }
    {
        WallCycleScope scope(&wcycle_, WallCycleCounter::LaunchGpuNonLocal);
        MDK_DEVICE_CALL(cudaStreamWaitEvent(nonLocal, coordinatesReady_, 0));
        springForces<<<numBlocks(parameters_.numNonLocal), c_threadsPerBlock, 0, nonLocal>>>(
                d_x_, d_f_, numLocal, numAll, parameters_.springConstant, parameters_.pairlistMicros / 4);
        MDK_DEVICE_CALL(cudaGetLastError());
        MDK_DEVICE_CALL(cudaEventRecord(nonLocalDone_, nonLocal));
    }
    {
        WallCycleScope scope(&wcycle_, WallCycleCounter::LaunchGpuUpdate);
        MDK_DEVICE_CALL(cudaStreamWaitEvent(update, localDone_, 0));
        MDK_DEVICE_CALL(cudaStreamWaitEvent(update, nonLocalDone_, 0));
        leapFrog<<<numBlocks(numAll), c_threadsPerBlock, 0, update>>>(
                d_x_, d_v_, d_f_, numAll, parameters_.timeStep);
        MDK_DEVICE_CALL(cudaGetLastError());
        MDK_DEVICE_CALL(cudaEventRecord(coordinatesReady_, update));
    }
}

void MdRunner::warmUp(int numSteps)
{
    for (int step = 0; step < numSteps; step++)
    {
        doStep();
    }
    streams_.synchronizeAll();
    wcycle_.reset();
}

Performance MdRunner::run(int numSteps)
{
    wcycle_.start(WallCycleCounter::Run);
    for (int step = 0; step < numSteps; step++)
    {
        doStep();
    }
    wcycle_.stop(WallCycleCounter::Run);
    wcycle_.printTable();

    Performance performance;
    performance.numSteps            = wcycle_.count(WallCycleCounter::Step);
    performance.millisecondsPerStep = wcycle_.milliseconds(WallCycleCounter::Run) / numSteps;
    performance.nanosecondsPerDay =
            parameters_.timeStep * 1e-3 * (86400.0 * 1e3 / performance.millisecondsPerStep);
    return performance;
}

} // namespace mdk

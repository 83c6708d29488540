#include "systems.cuh"

namespace {

constexpr unsigned long long kEmitNanos = 10ull * 1000 * 1000;
constexpr unsigned long long kSolveNanos = 40ull * 1000 * 1000;

__device__ void work(unsigned long long nanos) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin)::"memory");
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)::"memory");
    } while (now - begin < nanos);
}

__global__ void emitSparks(int* sparks, int n, int frame) {
    work(kEmitNanos);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sparks[i] = 1000000 + frame;
}

__global__ void lightSparks(const int* sparks, int n, int* light) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) light[i] += sparks[i];
}

__global__ void findContacts(int* contacts, int n, int frame) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) contacts[i] = frame * 10 + i % 7;
}

__global__ void solveContacts(const int* contacts, int n, int* impulse) {
    work(kSolveNanos);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) impulse[i] += contacts[i];
}

int blocks(int n) { return (n + 255) / 256; }

}  // namespace

SparkSystem::SparkSystem() {
    GPU(cudaMalloc(&light_, kMaxSparks * sizeof(int)));
    GPU(cudaMemset(light_, 0, kMaxSparks * sizeof(int)));
}

SparkSystem::~SparkSystem() { cudaFree(light_); }

void SparkSystem::update(int frame, FrameArena& arena) {
    const int n = sparksIn(frame);
    int* sparks = arena.alloc<int>(n);
    emitSparks<<<blocks(n), 256, 0, stage_.stream>>>(sparks, n, frame);
    GPU(cudaGetLastError());
    lightSparks<<<blocks(n), 256, 0, stage_.stream>>>(sparks, n, light_);
    GPU(cudaGetLastError());
}

BodySystem::BodySystem() {
    GPU(cudaMalloc(&impulse_, kBodies * sizeof(int)));
    GPU(cudaMemset(impulse_, 0, kBodies * sizeof(int)));
}

BodySystem::~BodySystem() { cudaFree(impulse_); }

void BodySystem::update(int frame, FrameArena& arena) {
    int* contacts = arena.alloc<int>(kBodies);
    findContacts<<<blocks(kBodies), 256, 0, stage_.stream>>>(contacts, kBodies, frame);
    GPU(cudaGetLastError());
    solveContacts<<<blocks(kBodies), 256, 0, stage_.stream>>>(contacts, kBodies, impulse_);
    GPU(cudaGetLastError());
}

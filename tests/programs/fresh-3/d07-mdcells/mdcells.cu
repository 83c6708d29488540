#include <chrono>
#include <cmath>
#include <cuda.h>
#include <cuda_runtime.h>
#include "md.h"

#define RT(call)                                                     \
    do {                                                             \
        cudaError_t e_ = (call);                                     \
        if (e_ != cudaSuccess) {                                     \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));         \
            std::exit(1);                                            \
        }                                                            \
    } while (0)
#define DRV(call)                                                    \
    do {                                                             \
        CUresult r_ = (call);                                        \
        if (r_ != CUDA_SUCCESS) {                                    \
            const char* n_ = "unknown";                              \
            cuGetErrorName(r_, &n_);                                 \
            std::printf("ERROR %s\n", n_);                           \
            std::exit(1);                                            \
        }                                                            \
    } while (0)

__constant__ Field c_field;

__global__ void bond_forces(const Atom* pos, float* force, int n, float k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= n) return;
    float dx = pos[i + 1].x - pos[i].x, dy = pos[i + 1].y - pos[i].y, dz = pos[i + 1].z - pos[i].z;
    float r = sqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
    float m = 0.01f * k * (r - 1.0f) / r;
    atomicAdd(force + 3 * i + 0, m * dx);
    atomicAdd(force + 3 * i + 1, m * dy);
    atomicAdd(force + 3 * i + 2, m * dz);
    atomicAdd(force + 3 * (i + 1) + 0, -m * dx);
    atomicAdd(force + 3 * (i + 1) + 1, -m * dy);
    atomicAdd(force + 3 * (i + 1) + 2, -m * dz);
}

__global__ void pair_forces(const Atom* pos, float* force, int n, float k, float radius) {
    int i = blockIdx.x, lane = threadIdx.x;
    float fx = 0, fy = 0, fz = 0;
    for (int j = lane; j < n; j += blockDim.x) {
        if (j == i) continue;
        float dx = pos[i].x - pos[j].x, dy = pos[i].y - pos[j].y, dz = pos[i].z - pos[j].z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 >= radius * radius) continue;
        float r = sqrtf(r2 + 1e-6f);
        float m = k * (radius - r) / r;
        fx += m * dx, fy += m * dy, fz += m * dz;
    }
    atomicAdd(force + 3 * i + 0, fx);
    atomicAdd(force + 3 * i + 1, fy);
    atomicAdd(force + 3 * i + 2, fz);
}

__global__ void integrate(Atom* pos, Atom* vel, const float* bond, const float* pair, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Atom v = vel[i], p = pos[i];
    v.x = (v.x + dt * (bond[3 * i + 0] + pair[3 * i + 0] + c_field.gx)) * c_field.damping;
    v.y = (v.y + dt * (bond[3 * i + 1] + pair[3 * i + 1] + c_field.gy)) * c_field.damping;
    v.z = (v.z + dt * (bond[3 * i + 2] + pair[3 * i + 2] + c_field.gz)) * c_field.damping;
    p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z;
    vel[i] = v;
    pos[i] = p;
}

int main(int argc, char** argv) {
    MdOptions o = md_options(argc, argv);
    const int n = o.atoms;
    std::vector<Atom> pos = md_lattice(n), vel(n, Atom{0, 0, 0, 0});

    cudaStream_t bonded, nonbonded;
    RT(cudaStreamCreate(&bonded));
    RT(cudaStreamCreate(&nonbonded));
    Atom *d_pos, *d_vel;
    float *d_bond, *d_pair;
    RT(cudaMalloc(&d_pos, n * sizeof(Atom)));
    RT(cudaMalloc(&d_vel, n * sizeof(Atom)));
    RT(cudaMalloc(&d_bond, 3 * n * sizeof(float)));
    RT(cudaMalloc(&d_pair, 3 * n * sizeof(float)));
    RT(cudaMemcpy(d_pos, pos.data(), n * sizeof(Atom), cudaMemcpyHostToDevice));
    RT(cudaMemcpy(d_vel, vel.data(), n * sizeof(Atom), cudaMemcpyHostToDevice));

    const int block = 128, grid = (n + block - 1) / block;
    auto t0 = std::chrono::steady_clock::now();
    for (int s = 0; s < o.steps; ++s) {
        DRV(cuMemsetD32(reinterpret_cast<CUdeviceptr>(d_bond), 0, 3 * n));
        DRV(cuMemsetD32(reinterpret_cast<CUdeviceptr>(d_pair), 0, 3 * n));
        bond_forces<<<grid, block, 0, bonded>>>(d_pos, d_bond, n, o.k_bond);
        pair_forces<<<n, 64, 0, nonbonded>>>(d_pos, d_pair, n, o.k_rep, o.radius);
        Field g = field_at(s);
        RT(cudaMemcpyToSymbol(c_field, &g, sizeof(g)));
        integrate<<<grid, block>>>(d_pos, d_vel, d_bond, d_pair, n, o.dt);
        RT(cudaGetLastError());
        if ((s + 1) % o.report == 0) {
            RT(cudaMemcpy(vel.data(), d_vel, n * sizeof(Atom), cudaMemcpyDeviceToHost));
            double ke = 0;
            for (const Atom& v : vel) ke += 0.5 * (v.x * v.x + v.y * v.y + v.z * v.z);
            std::printf("step %4d  kinetic %.6f\n", s + 1, ke);
        }
    }
    RT(cudaMemcpy(pos.data(), d_pos, n * sizeof(Atom), cudaMemcpyDeviceToHost));
    double sec = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    std::printf("%.1f steps/s\n", o.steps / sec);

    std::vector<Atom> rp = md_lattice(n), rv(n, Atom{0, 0, 0, 0});
    md_reference(o, rp, rv);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        float d = std::fabs(pos[i].x - rp[i].x) + std::fabs(pos[i].y - rp[i].y) + std::fabs(pos[i].z - rp[i].z);
        wrong += !(d <= 1e-3f);
    }
    RT(cudaFree(d_pos));
    RT(cudaFree(d_vel));
    RT(cudaFree(d_bond));
    RT(cudaFree(d_pair));
    RT(cudaStreamDestroy(bonded));
    RT(cudaStreamDestroy(nonbonded));
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}

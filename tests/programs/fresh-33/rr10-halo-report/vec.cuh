#pragma once

// Small fixed-size vectors for the stencil kernels.
template <int N>
struct Vec {
    float v[N];
    __host__ __device__ float& operator[](int i) { return v[i]; }
    __host__ __device__ float operator[](int i) const { return v[i]; }
    __host__ __device__ Vec& operator+=(const Vec& o) {
        for (int i = 0; i < N; ++i) v[i] += o.v[i];
        return *this;
    }
    __host__ __device__ friend Vec operator+(Vec a, const Vec& b) { return a += b; }
    __host__ __device__ friend Vec operator*(float s, Vec a) {
        for (int i = 0; i < N; ++i) a.v[i] *= s;
        return a;
    }
    __host__ __device__ friend bool operator!=(const Vec& a, const Vec& b) {
        for (int i = 0; i < N; ++i)
            if (a.v[i] != b.v[i]) return true;
        return false;
    }
};

using Vec4 = Vec<4>;

#include "model.cuh"

std::vector<float> calibration_for(int bucket) {
    std::vector<float> c(kFeatures);
    for (int f = 0; f < kFeatures; ++f) c[f] = 0.01f * bucket + 0.001f * ((f * 13 + bucket * 7) % 64);
    return c;
}

std::vector<int8_t> model_weights() {
    std::vector<int8_t> w(kFeatures * kClasses);
    for (size_t i = 0; i < w.size(); ++i) w[i] = static_cast<int8_t>((i * 73 + i / 19) % 127 - 63);
    return w;
}

__global__ void dequant(const int8_t* w, const float* calib, float* wf) {
    int f = threadIdx.x, c = blockIdx.x;
    wf[c * kFeatures + f] = w[c * kFeatures + f] * calib[f];
}

__global__ void linear(const float* x, const float* wf, float* y) {
    int row = blockIdx.x, c = threadIdx.x;
    float acc = 0.f;
    for (int f = 0; f < kFeatures; ++f) acc += x[row * kFeatures + f] * wf[c * kFeatures + f];
    y[row * kClasses + c] = acc;
}

void launch_dequant(const int8_t* w, const float* calib, float* wf, cudaStream_t s) {
    dequant<<<kClasses, kFeatures, 0, s>>>(w, calib, wf);
}

void launch_linear(const float* x, const float* wf, float* y, int rows, cudaStream_t s) {
    linear<<<rows, kClasses, 0, s>>>(x, wf, y);
}

void reference_linear(const float* x, const std::vector<int8_t>& w, const std::vector<float>& calib, float* y, int rows) {
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < kClasses; ++c) {
            float acc = 0.f;
            for (int f = 0; f < kFeatures; ++f) acc += x[r * kFeatures + f] * (w[c * kFeatures + f] * calib[f]);
            y[r * kClasses + c] = acc;
        }
}

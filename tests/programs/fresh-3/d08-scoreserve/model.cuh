#pragma once
#include <cstdint>
#include <cuda_runtime.h>
#include <vector>

constexpr int kFeatures = 256;
constexpr int kClasses = 32;

// Calibration row used when a request runs in the bucket of the given size.
std::vector<float> calibration_for(int bucket);
std::vector<int8_t> model_weights();

void launch_dequant(const int8_t* w, const float* calib, float* wf, cudaStream_t s);
void launch_linear(const float* x, const float* wf, float* y, int rows, cudaStream_t s);

void reference_linear(const float* x, const std::vector<int8_t>& w, const std::vector<float>& calib, float* y, int rows);

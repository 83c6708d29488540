#pragma once

#include "ocx_gpumat.hpp"

namespace ocx {
namespace cuda {

class Filter {
 public:
  virtual ~Filter() {}
  virtual void apply(const GpuMat& src, GpuMat& dst, Stream& stream) = 0;
};

std::vector<float> getGaussianKernel(int ksize, double sigma);
Ptr<Filter> createGaussianFilter(int ksize, double sigma);
void pyrDown(const GpuMat& src, GpuMat& dst, Stream& stream);

}  // namespace cuda
}  // namespace ocx

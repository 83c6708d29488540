#pragma once
#include "KX_Cuda_Instance.hpp"
#include <type_traits>

namespace KX::Impl {

enum class LaunchMechanism { LocalMemory, GlobalMemory };

template <class DriverType>
__global__ void cuda_parallel_launch_local_memory(const DriverType driver) {
  driver();
}

template <class DriverType>
__global__ void cuda_parallel_launch_global_memory(const DriverType* driver) {
  (*driver)();
}

template <class DriverType>
constexpr LaunchMechanism deduce_launch_mechanism() {
  return sizeof(DriverType) <= 2048 ? LaunchMechanism::LocalMemory : LaunchMechanism::GlobalMemory;
}

template <class DriverType, LaunchMechanism = deduce_launch_mechanism<DriverType>()>
struct CudaParallelLaunch;

template <class DriverType>
struct CudaParallelLaunch<DriverType, LaunchMechanism::LocalMemory> {
  static void launch(const DriverType& driver, dim3 grid, dim3 block, const CudaInternal* instance) {
    if (grid.x == 0) return;
    cuda_parallel_launch_local_memory<DriverType><<<grid, block, 0, instance->stream()>>>(driver);
    KX_IMPL_CUDA_SAFE_CALL(cudaGetLastError());
  }
};

template <class DriverType>
struct CudaParallelLaunch<DriverType, LaunchMechanism::GlobalMemory> {
  static_assert(std::is_trivially_copyable_v<DriverType>, "large functors are copied bytewise");

  static void launch(const DriverType& driver, dim3 grid, dim3 block, const CudaInternal* instance) {
    if (grid.x == 0) return;
    auto& device = CudaInternalDevice::singleton();
    std::lock_guard<std::mutex> lock(device.driver_mutex());
    // the previous user may be another instance
    device.wait_driver_storage();
    device.stage_driver(&driver, sizeof(DriverType), instance->stream());
    cuda_parallel_launch_global_memory<DriverType>
        <<<grid, block, 0, instance->stream()>>>(static_cast<const DriverType*>(device.driver_storage()));
    KX_IMPL_CUDA_SAFE_CALL(cudaGetLastError());
    device.record_driver_storage(instance->stream());
  }
};
}  // namespace KX::Impl

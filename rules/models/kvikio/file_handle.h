// Files that threads of the library read into device memory, and write out of it, in streams of their own: these wait for the
// default stream alone, and what a caller enqueued in any other one may still run.
#pragma once

namespace kvikio {

class FileHandle {
 public:
    FileHandle() {}
    template <class... Rest>
    FileHandle(Rest&&...) {}

    template <class... Rest>
    auto pread(void* buffer, size_t size, Rest&&...) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaStreamSynchronize(0);
        cudaMemcpyAsync(buffer, cudalint::unknown(), size, cudaMemcpyHostToDevice, own);
        cudaStreamSynchronize(own);
        return cudalint::unknown();
    }
    template <class... Rest>
    auto pwrite(const void* buffer, size_t size, Rest&&...) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaStreamSynchronize(0);
        cudaMemcpyAsync(cudalint::unknown(), buffer, size, cudaMemcpyDeviceToHost, own);
        cudaStreamSynchronize(own);
        return cudalint::unknown();
    }
};

}  // namespace kvikio

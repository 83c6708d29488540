#pragma once
#include <map>
#include <memory>
#include <utility>
#include <cuda_runtime.h>

namespace dome {

void must(cudaError_t rc);

struct Shape {
    int width;
    int height;
    int pixels() const { return width * height; }
    bool operator<(const Shape& o) const { return std::pair(width, height) < std::pair(o.width, o.height); }
};

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) { must(cudaMalloc(&data_, count * sizeof(T))); }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    T* get() const { return data_; }

private:
    T* data_ = nullptr;
};

// Lookup tables from dome pixels to frame pixels, one for each shape that has been shown.
class WarpLibrary {
public:
    static WarpLibrary& shared();
    const int* table(Shape shape, cudaStream_t stream);
    void forget() { tables_.clear(); }

private:
    std::map<Shape, std::unique_ptr<DeviceArray<int>>> tables_;
};

class Projector {
public:
    explicit Projector(int largest);
    ~Projector();
    Projector(const Projector&) = delete;
    Projector& operator=(const Projector&) = delete;

    void show(Shape shape);
    int faults(Shape shape);
    cudaStream_t stream() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
    DeviceArray<float> frame_;
    DeviceArray<float> ceiling_;
    int largest_;
};

}  // namespace dome

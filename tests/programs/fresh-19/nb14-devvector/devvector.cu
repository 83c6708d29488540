// Growable device array bound to one stream.
//
// Every operation is ordered on stream().  Pointers from data()/view() stay valid
// until the next call that may reallocate, and may be used by work on stream();
// to use them elsewhere bracket that work with lend() and give_back().
#include <cuda_runtime.h>
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace devvector {

#define DV_TRY(x)                                                              \
    do {                                                                       \
        if (cudaError_t dv_e = (x)) throw std::runtime_error(cudaGetErrorString(dv_e)); \
    } while (0)

template <class T>
struct View {
    T *first;
    std::size_t count;
    __host__ __device__ T *begin() const { return first; }
    __host__ __device__ T *end() const { return first + count; }
    __device__ T &operator[](std::size_t i) const { return first[i]; }
};

template <class T>
__global__ void fill_kernel(View<T> v, T value)
{
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < v.count) v[i] = value;
}

template <class T>
class DeviceVector {
    static_assert(std::is_trivially_copyable<T>::value, "T is moved with memcpy");

public:
    explicit DeviceVector(cudaStream_t stream) : stream_(stream)
    {
        DV_TRY(cudaEventCreateWithFlags(&mark_, cudaEventDisableTiming));
    }
    DeviceVector(const DeviceVector &) = delete;
    DeviceVector &operator=(const DeviceVector &) = delete;
    DeviceVector(DeviceVector &&o) noexcept
        : stream_(o.stream_), mark_(std::exchange(o.mark_, nullptr)), data_(std::exchange(o.data_, nullptr)),
          size_(std::exchange(o.size_, 0)), capacity_(std::exchange(o.capacity_, 0)) {}
    DeviceVector &operator=(DeviceVector &&) = delete;
    ~DeviceVector()
    {
        if (data_) (void)cudaFreeAsync(data_, stream_);
        if (mark_) (void)cudaEventDestroy(mark_);
    }

    cudaStream_t stream() const noexcept { return stream_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t capacity() const noexcept { return capacity_; }
    T *data() noexcept { return data_; }
    const T *data() const noexcept { return data_; }
    View<T> view() noexcept { return {data_, size_}; }

    void reserve(std::size_t want)
    {
        if (want <= capacity_) return;
        T *fresh = nullptr;
        DV_TRY(cudaMallocAsync(reinterpret_cast<void **>(&fresh), want * sizeof(T), stream_));
        if (size_) {
            const cudaError_t e =
                cudaMemcpyAsync(fresh, data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice, stream_);
            if (e != cudaSuccess) {
                (void)cudaFreeAsync(fresh, stream_);
                DV_TRY(e);
            }
        }
        T *old = std::exchange(data_, fresh);
        capacity_ = want;
        if (old) DV_TRY(cudaFreeAsync(old, stream_));   // behind the copy in the same stream
    }

    void resize(std::size_t n, T value = T())
    {
        if (n > size_) {
            grow_for(n);
            const std::size_t extra = n - size_;
            const unsigned blocks = static_cast<unsigned>((extra + 255) / 256);
            fill_kernel<<<blocks, 256, 0, stream_>>>(View<T>{data_ + size_, extra}, value);
            DV_TRY(cudaGetLastError());
        }
        size_ = n;
    }

    // Appends n device elements.  `src` must not point into this vector.
    void append(const T *src, std::size_t n)
    {
        if (n == 0) return;
        grow_for(size_ + n);
        DV_TRY(cudaMemcpyAsync(data_ + size_, src, n * sizeof(T), cudaMemcpyDeviceToDevice, stream_));
        size_ += n;
    }

    // Appends host elements; on return `src` may be reused, pinned or not.
    void append_host(const T *src, std::size_t n)
    {
        if (n == 0) return;
        grow_for(size_ + n);
        DV_TRY(cudaMemcpyAsync(data_ + size_, src, n * sizeof(T), cudaMemcpyHostToDevice, stream_));
        DV_TRY(cudaStreamSynchronize(stream_));
        size_ += n;
    }
    void push_back(const T &v) { append_host(&v, 1); }

    void clear() noexcept { size_ = 0; }

    std::vector<T> to_host() const
    {
        std::vector<T> out(size_);
        if (size_) {
            DV_TRY(cudaMemcpyAsync(out.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, stream_));
            DV_TRY(cudaStreamSynchronize(stream_));
        }
        return out;
    }

    // Work issued to `other` after lend() sees the contents; after give_back()
    // the vector's own operations wait for that work.
    View<T> lend(cudaStream_t other)
    {
        DV_TRY(cudaEventRecord(mark_, stream_));
        DV_TRY(cudaStreamWaitEvent(other, mark_, 0));
        return view();
    }
    void give_back(cudaStream_t other)
    {
        DV_TRY(cudaEventRecord(mark_, other));
        DV_TRY(cudaStreamWaitEvent(stream_, mark_, 0));
    }

private:
    void grow_for(std::size_t n)
    {
        if (n > capacity_) reserve(std::max(n, capacity_ + capacity_ / 2));
    }

    cudaStream_t stream_;
    cudaEvent_t mark_ = nullptr;
    T *data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

template class DeviceVector<float>;
template class DeviceVector<int>;

__global__ void scale_kernel(View<float> v, float s)
{
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < v.count) v[i] *= s;
}

void scale_on(DeviceVector<float> &v, float s, cudaStream_t other)
{
    if (v.size() == 0) return;
    const View<float> w = v.lend(other);
    scale_kernel<<<static_cast<unsigned>((w.count + 255) / 256), 256, 0, other>>>(w, s);
    const cudaError_t e = cudaGetLastError();
    v.give_back(other);
    DV_TRY(e);
}

}  // namespace devvector

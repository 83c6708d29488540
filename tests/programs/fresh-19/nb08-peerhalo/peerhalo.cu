// Halo exchange of a 1-D domain cut in two, one half per device.
// Each half is [left halo | interior | right halo]; after exchange() both inner
// halos hold the neighbour's edge cells.  Each side works on its own stream.
#include <cuda_runtime.h>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace peerhalo {

#define PH_CALL(f)                                                                   \
    do {                                                                             \
        cudaError_t ph_err = (f);                                                    \
        if (ph_err != cudaSuccess)                                                   \
            throw std::runtime_error(std::string(#f ": ") + cudaGetErrorString(ph_err)); \
    } while (0)

class OnDevice {
public:
    explicit OnDevice(int dev)
    {
        PH_CALL(cudaGetDevice(&saved_));
        PH_CALL(cudaSetDevice(dev));
    }
    ~OnDevice() { (void)cudaSetDevice(saved_); }
    OnDevice(const OnDevice &) = delete;
    OnDevice &operator=(const OnDevice &) = delete;

private:
    int saved_ = 0;
};

__global__ void pack_kernel(const float *cells, int first, int count, float *edge)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) edge[i] = cells[first + i];
}

__global__ void unpack_kernel(const float *edge, int count, float *cells, int first)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) cells[first + i] = edge[i];
}

class Side {
public:
    Side(int device, cudaStream_t stream, int halo) : device_(device), stream_(stream), halo_(halo)
    {
        OnDevice guard(device_);
        const std::size_t bytes = sizeof(float) * std::size_t(halo_);
        try {
            PH_CALL(cudaMalloc(reinterpret_cast<void **>(&out_), bytes));
            PH_CALL(cudaMalloc(reinterpret_cast<void **>(&in_), bytes));
            PH_CALL(cudaEventCreateWithFlags(&packed_, cudaEventDisableTiming));
            PH_CALL(cudaEventCreateWithFlags(&received_, cudaEventDisableTiming));
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~Side()
    {
        try {
            OnDevice guard(device_);
            destroy();
        } catch (...) {
        }
    }
    Side(const Side &) = delete;
    Side &operator=(const Side &) = delete;

    void pack(const float *cells, int first)
    {
        OnDevice guard(device_);
        pack_kernel<<<blocks(), 128, 0, stream_>>>(cells, first, halo_, out_);
        PH_CALL(cudaGetLastError());
        PH_CALL(cudaEventRecord(packed_, stream_));
    }

    // Pulls the peer's packed edge on our stream.
    void receive(const Side &peer, float *cells, int first)
    {
        OnDevice guard(device_);
        PH_CALL(cudaStreamWaitEvent(stream_, peer.packed_, 0));
        PH_CALL(cudaMemcpyPeerAsync(in_, device_, peer.out_, peer.device_, sizeof(float) * std::size_t(halo_), stream_));
        PH_CALL(cudaEventRecord(received_, stream_));
        unpack_kernel<<<blocks(), 128, 0, stream_>>>(in_, halo_, cells, first);
        PH_CALL(cudaGetLastError());
    }

    // From here on our stream may overwrite out_: the peer has read it.
    void until_read_by(const Side &peer)
    {
        OnDevice guard(device_);
        PH_CALL(cudaStreamWaitEvent(stream_, peer.received_, 0));
    }

    void drain() noexcept
    {
        (void)cudaStreamSynchronize(stream_);   // a stream may be synchronised from any device
    }
    int halo() const { return halo_; }
    int device() const { return device_; }

private:
    int blocks() const { return (halo_ + 127) / 128; }
    void destroy() noexcept
    {
        if (received_) (void)cudaEventDestroy(received_);
        if (packed_) (void)cudaEventDestroy(packed_);
        if (in_) (void)cudaFree(in_);
        if (out_) (void)cudaFree(out_);
    }

    const int device_;
    const cudaStream_t stream_;
    const int halo_;
    float *out_ = nullptr;
    float *in_ = nullptr;
    cudaEvent_t packed_ = nullptr;
    cudaEvent_t received_ = nullptr;
};

// The streams belong to the caller, one on each device, and outlive the link.
class HaloLink {
public:
    HaloLink(int dev_l, cudaStream_t stream_l, int dev_r, cudaStream_t stream_r, int halo)
        : left_(dev_l, stream_l, positive(halo)), right_(dev_r, stream_r, halo)
    {
        enable(dev_l, dev_r);
        enable(dev_r, dev_l);
    }
    ~HaloLink()
    {
        // Both streams must be idle before either side's buffers go.
        left_.drain();
        right_.drain();
    }

    // `cells_l` has n_l interior cells, `cells_r` likewise; both with halos at each end.
    void exchange(float *cells_l, int n_l, float *cells_r)
    {
        const int h = left_.halo();
        if (n_l < h) throw std::invalid_argument("domain thinner than the halo");
        left_.pack(cells_l, n_l);        // the last h interior cells: [n_l, n_l + h)
        right_.pack(cells_r, h);         // the first h interior cells
        left_.receive(right_, cells_l, h + n_l);
        right_.receive(left_, cells_r, 0);
        left_.until_read_by(right_);
        right_.until_read_by(left_);
    }

private:
    static int positive(int halo)
    {
        if (halo <= 0) throw std::invalid_argument("halo");
        return halo;
    }
    static void enable(int from, int to)
    {
        if (from == to) return;
        int can = 0;
        PH_CALL(cudaDeviceCanAccessPeer(&can, from, to));
        if (!can) return;   // the copies then go through the host, with the same ordering
        OnDevice guard(from);
        const cudaError_t e = cudaDeviceEnablePeerAccess(to, 0);
        if (e == cudaErrorPeerAccessAlreadyEnabled)
            (void)cudaGetLastError();
        else
            PH_CALL(e);
    }

    Side left_;
    Side right_;
};

void exchange_many(HaloLink &link, float *cells_l, int n_l, float *cells_r, int times)
{
    for (int i = 0; i < times; ++i) link.exchange(cells_l, n_l, cells_r);
}

}  // namespace peerhalo

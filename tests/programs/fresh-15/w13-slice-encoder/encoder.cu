#include "encoder.hpp"

namespace codec {
namespace {

__global__ void transform(int* coeff, int slice, int n, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        coeff[i] = (i * 29 + slice * 101) % 4093 - 2046;
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void quantise(const int* coeff, std::uint16_t* coded, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        coded[i] = static_cast<std::uint16_t>((coeff[i] + 2046) >> 2);
}

}  // namespace

std::uint16_t SliceEncoder::reference(int slice, int i) {
    return static_cast<std::uint16_t>(((i * 29 + slice * 101) % 4093) >> 2);
}

SliceEncoder::SliceEncoder(const EncoderConfig& cfg) : cfg_(cfg), lanes_(cfg.lanes) {
    for (Lane& lane : lanes_) {
        enforce(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
        enforce(cudaMallocHost(reinterpret_cast<void**>(&lane.landing), cfg_.maxSymbols * sizeof(std::uint16_t)));
        lane.coded.reserve(cfg_.maxSymbols);
    }
}

SliceEncoder::~SliceEncoder() {
    for (Lane& lane : lanes_) {
        cudaStreamDestroy(lane.stream);
        cudaFreeHost(lane.landing);
    }
}

void CUDART_CB SliceEncoder::arrived(void* p) {
    const auto* a = static_cast<const Arrival*>(p);
    std::uint64_t sum = 0;
    for (int i = 0; i < a->symbols; ++i) sum = sum * 131u + a->data[i];
    *a->digest = sum;
}

void SliceEncoder::encodeSlice(Lane& lane, const Slice& s) {
    DeviceArray<int> coeff(s.symbols);
    transform<<<8, 128, 0, lane.stream>>>(coeff.get(), s.index, s.symbols,
                                          static_cast<unsigned long long>(cfg_.sliceMillis * 1e6));
    enforce(cudaGetLastError());
    quantise<<<8, 128, 0, lane.stream>>>(coeff.get(), lane.coded.get(), s.symbols);
    enforce(cudaGetLastError());
    enforce(cudaMemcpyAsync(lane.landing, lane.coded.get(), s.symbols * sizeof(std::uint16_t),
                            cudaMemcpyDeviceToHost, lane.stream));
    arrivals_.push_back(Arrival{lane.landing, s.symbols, &digests_[s.index]});
    enforce(cudaLaunchHostFunc(lane.stream, &SliceEncoder::arrived, &arrivals_.back()));
}

void SliceEncoder::encode(const std::vector<Slice>& picture) {
    digests_.assign(picture.size(), 0);
    arrivals_.clear();
    arrivals_.reserve(picture.size());
    for (std::size_t i = 0; i < picture.size(); ++i) encodeSlice(lanes_[i % lanes_.size()], picture[i]);
    for (Lane& lane : lanes_) enforce(cudaStreamSynchronize(lane.stream));
}

}  // namespace codec

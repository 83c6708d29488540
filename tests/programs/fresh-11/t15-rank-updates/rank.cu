#include "rank.cuh"

namespace {

__global__ void fill(Rank* r, uint32_t n, Rank value)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) r[i] = value;
}

__global__ void scatter(const Edge* edges, const Rank* src, Rank* dst, Iteration p)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin) :: "memory");
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now) :: "memory");
    } while (now - begin < 20'000'000ull);
    for (uint32_t e = blockIdx.x * blockDim.x + threadIdx.x; e < p.edges; e += gridDim.x * blockDim.x)
        atomicAdd(dst + edges[e].to, share(src[edges[e].from], p.weight));
}

__global__ void total(const Rank* src, uint32_t n, Rank* out)
{
    Rank s = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += src[i];
    atomicAdd(out, s);
}

}  // namespace

Ranker::Ranker(const std::vector<Edge>& edges, uint32_t vertices, int max_iterations)
    : edge_count_(static_cast<uint32_t>(edges.size())), vertices_(vertices)
{
    CUDA_TRY(cudaMalloc(&edges_, edges.size() * sizeof(Edge)));
    CUDA_TRY(cudaMemcpy(edges_, edges.data(), edges.size() * sizeof(Edge), cudaMemcpyHostToDevice));
    for (Rank*& r : ranks_) CUDA_TRY(cudaMalloc(&r, vertices * sizeof(Rank)));
    CUDA_TRY(cudaMalloc(&mass_, max_iterations * sizeof(Rank)));
    CUDA_TRY(cudaMallocHost(&host_mass_, max_iterations * sizeof(Rank)));

    fill<<<32, 256>>>(ranks_[0], vertices_, 1000);
    fill<<<1, 32>>>(mass_, max_iterations, 0);
    scatter<<<1, 32>>>(edges_, ranks_[0], ranks_[1], Iteration{});
    total<<<1, 32>>>(ranks_[0], 0, mass_);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());
}

Ranker::~Ranker()
{
    cudaFree(edges_);
    for (Rank* r : ranks_) cudaFree(r);
    cudaFree(mass_);
    cudaFreeHost(host_mass_);
}

void Ranker::enqueue(const Iteration& p)
{
    const Rank* src = ranks_[done_ & 1];
    Rank* dst = ranks_[1 - (done_ & 1)];
    CUDA_TRY(cudaEventRecord(fork_.get(), stream_.get()));
    CUDA_TRY(cudaStreamWaitEvent(side_.get(), fork_.get(), 0));
    total<<<32, 256, 0, side_.get()>>>(src, p.vertices, mass_ + done_);
    CUDA_TRY(cudaMemcpyAsync(host_mass_ + done_, mass_ + done_, sizeof(Rank), cudaMemcpyDeviceToHost, side_.get()));
    CUDA_TRY(cudaEventRecord(join_.get(), side_.get()));
    fill<<<32, 256, 0, stream_.get()>>>(dst, p.vertices, p.base);
    scatter<<<48, 256, 0, stream_.get()>>>(edges_, src, dst, p);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaStreamWaitEvent(stream_.get(), join_.get(), 0));
}

void Ranker::iterate(Rank base, uint32_t weight)
{
    const Iteration p{base, weight, edge_count_, vertices_};
    const Graph graph = recorded(stream_.get(), [&] { enqueue(p); });
    replay_.run(graph, stream_.get());
    ++done_;
}

std::vector<Rank> Ranker::finish(std::vector<Rank>& mass)
{
    CUDA_TRY(cudaStreamSynchronize(stream_.get()));
    mass.assign(host_mass_, host_mass_ + done_);
    std::vector<Rank> ranks(vertices_);
    CUDA_TRY(cudaMemcpy(ranks.data(), ranks_[done_ & 1], vertices_ * sizeof(Rank), cudaMemcpyDeviceToHost));
    return ranks;
}

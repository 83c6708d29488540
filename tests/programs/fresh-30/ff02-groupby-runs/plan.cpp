#include "plan.h"
#include <algorithm>

namespace query {
ScanStage::ScanStage(const PlanOptions& options, const Columns& columns)
    : options_(options), columns_(columns), exchange_(options.exchangeDepth)
{
    const std::size_t column = sizeof(Key) * options_.rowsPerChunk;
    const std::size_t table = sizeof(Sum) * options_.groups * options_.chunks;
    Q_CUDA(cudaMalloc(&keys_, column));
    Q_CUDA(cudaMalloc(&values_, column));
    Q_CUDA(cudaMalloc(&slab_, table));
    Q_CUDA(cudaMallocHost(&host_, table));
    for (int c = 0; c < options_.chunks; ++c) tickets_.push_back({this, c});
    packed_.resize(options_.chunks);
    for (cudaEvent_t& event : packed_) Q_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
}

ScanStage::~ScanStage()
{
    settle();
    for (cudaEvent_t event : packed_) cudaEventDestroy(event);
    cudaFree(keys_);
    cudaFree(values_);
    cudaFree(slab_);
    cudaFreeHost(host_);
}

void CUDART_CB ScanStage::announce(void* argument)
{
    const Ticket* ticket = static_cast<const Ticket*>(argument);
    ticket->stage->exchange_.put(ticket->chunk);
    if (ticket->chunk + 1 == ticket->stage->options_.chunks) ticket->stage->exchange_.close();
}

void ScanStage::open()
{
    const std::size_t column = sizeof(Key) * options_.rowsPerChunk;
    const std::size_t table = sizeof(Sum) * options_.groups;
    for (Ticket& ticket : tickets_) {
        const std::size_t row = std::size_t(ticket.chunk) * options_.rowsPerChunk;
        Sum* sums = slot(ticket.chunk);
        Sum* out = host_ + std::size_t(ticket.chunk) * options_.groups;
        Q_CUDA(cudaMemcpyAsync(keys_, columns_.keys + row, column, cudaMemcpyHostToDevice, stream_));
        Q_CUDA(cudaMemcpyAsync(values_, columns_.values + row, column, cudaMemcpyHostToDevice, stream_));
        Q_CUDA(cudaMemsetAsync(sums, 0, table, stream_));
        partialSums(keys_, values_, options_.rowsPerChunk, sums, stream_);
        Q_CUDA(cudaGetLastError());
        Q_CUDA(cudaMemcpyAsync(out, sums, table, cudaMemcpyDeviceToHost, stream_));
        Q_CUDA(cudaEventRecord(packed_[ticket.chunk], stream_));
        Q_CUDA(cudaLaunchHostFunc(stream_, &ScanStage::announce, &ticket));
    }
}

RunStore::RunStore(const PlanOptions& options, ScanStage& scan) : options_(options), scan_(scan)
{
    const std::size_t table = sizeof(Sum) * options_.groups;
    Q_CUDA(cudaMalloc(&dense_, table));
    Q_CUDA(cudaMalloc(&counts_, sizeof(unsigned) * options_.chunks));
    Q_CUDA(cudaMallocHost(&staging_, table));
    // An empty run per chunk makes up the directory.
    for (int c = 0; c < options_.chunks; ++c) packRun(dense_, 0, scan_.slot(c), counts_ + c, stream_);
    Q_CUDA(cudaGetLastError());
    settle();
}

RunStore::~RunStore()
{
    settle();
    cudaFree(dense_);
    cudaFree(counts_);
    cudaFreeHost(staging_);
}

void RunStore::spill(int chunk, const std::vector<Sum>& totals)
{
    const std::size_t table = sizeof(Sum) * options_.groups;
    scan_.settle(chunk);
    std::memcpy(staging_, totals.data(), table);
    Q_CUDA(cudaMemcpyAsync(dense_, staging_, table, cudaMemcpyHostToDevice, stream_));
    packRun(dense_, options_.groups, scan_.slot(chunk), counts_ + chunk, stream_);
    Q_CUDA(cudaGetLastError());
    settle();
    runs_.push_back(chunk);
}

void RunStore::mergeInto(std::vector<Sum>& totals)
{
    for (int chunk : runs_) {
        unsigned count = 0;
        Q_CUDA(cudaMemcpy(&count, counts_ + chunk, sizeof(count), cudaMemcpyDeviceToHost));
        std::vector<Sum> run(count);
        Q_CUDA(cudaMemcpy(run.data(), scan_.slot(chunk), sizeof(Sum) * count, cudaMemcpyDeviceToHost));
        for (Sum entry : run) totals[entry >> 40] += entry & ((1ull << 40) - 1);
    }
    runs_.clear();
}

void HashAggregate::run()
{
    while (const std::optional<int> chunk = child_.next()) {
        const Sum* partial = child_.partials(*chunk);
        for (int g = 0; g < options_.groups; ++g) totals_[g] += partial[g];
        const std::size_t live = std::count_if(totals_.begin(), totals_.end(), [](Sum s) { return s != 0; });
        if (live > options_.spillLimit) {
            store_.spill(*chunk, totals_);
            std::fill(totals_.begin(), totals_.end(), 0);
        }
    }
}
}  // namespace query

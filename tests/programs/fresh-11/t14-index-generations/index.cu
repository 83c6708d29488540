#include "index.cuh"

namespace idx {
namespace {

__device__ inline uint32_t home(uint32_t key)
{
    key ^= key >> 16;
    key *= 0x7feb352du;
    return key ^ (key >> 15);
}

__device__ inline void put(Table t, Slot entry)
{
    for (uint32_t s = home(static_cast<uint32_t>(entry >> 32)) & t.mask;; s = (s + 1) & t.mask)
        if (atomicCAS(t.slots + s, 0ull, entry) == 0ull) return;
}

__global__ void rehash(Table from, Table to)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= from.mask; i += gridDim.x * blockDim.x)
        if (const Slot e = from.slots[i]) put(to, e);
}

__global__ void add(Table t, const Slot* entries, uint32_t count)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) put(t, entries[i]);
}

__global__ void count_hits(Table t, uint32_t ids, unsigned long long* hits)
{
    unsigned long long begin, now, found = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin) :: "memory");
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now) :: "memory");
    } while (now - begin < 30'000'000ull);
    for (uint32_t id = blockIdx.x * blockDim.x + threadIdx.x; id < ids; id += gridDim.x * blockDim.x) {
        const uint32_t key = key_of(id);
        uint32_t s = home(key) & t.mask;
        for (uint32_t step = 0; step <= t.mask; ++step, s = (s + 1) & t.mask) {
            const Slot e = t.slots[s];
            if (e == 0) break;
            if (static_cast<uint32_t>(e >> 32) == key) {
                found += static_cast<uint32_t>(e) == value_of(id);
                break;
            }
        }
    }
    atomicAdd(hits, found);
}

}  // namespace

GenerationIndex::GenerationIndex(cudaMemPool_t pool) : pool_(pool)
{
    expect(cudaStreamCreateWithFlags(&writer_, cudaStreamNonBlocking));
    expect(cudaStreamCreateWithFlags(&reader_, cudaStreamNonBlocking));
    expect(cudaEventCreateWithFlags(&built_, cudaEventDisableTiming));
}

GenerationIndex::~GenerationIndex()
{
    settle();
    if (current_.slots) cudaFreeAsync(current_.slots, reader_);
    cudaStreamSynchronize(reader_);
    cudaEventDestroy(built_);
    cudaStreamDestroy(reader_);
    cudaStreamDestroy(writer_);
}

void GenerationIndex::advance(const Slot* entries, uint32_t count, uint32_t log2_slots)
{
    Table next;
    next.mask = (1u << log2_slots) - 1;
    next.slots = allocate<Slot>(std::size_t(1) << log2_slots, writer_);
    expect(cudaMemsetAsync(next.slots, 0, next.bytes(), writer_));
    if (current_.slots) rehash<<<64, 256, 0, writer_>>>(current_, next);

    Slot* staged = allocate<Slot>(count, writer_);
    expect(cudaMemcpyAsync(staged, entries, count * sizeof(Slot), cudaMemcpyHostToDevice, writer_));
    add<<<64, 256, 0, writer_>>>(next, staged, count);
    expect(cudaGetLastError());
    expect(cudaFreeAsync(staged, writer_));

    expect(cudaEventRecord(built_, writer_));
    expect(cudaStreamWaitEvent(reader_, built_, 0));
    if (current_.slots) expect(cudaFreeAsync(current_.slots, reader_));
    current_ = next;
}

void GenerationIndex::query(uint32_t ids, unsigned long long* hits)
{
    count_hits<<<48, 256, 0, reader_>>>(current_, ids, hits);
    expect(cudaGetLastError());
}

void GenerationIndex::settle() const
{
    expect(cudaStreamSynchronize(writer_));
    expect(cudaStreamSynchronize(reader_));
}

}  // namespace idx

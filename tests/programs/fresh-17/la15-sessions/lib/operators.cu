#include "operators.hpp"

#include <algorithm>

namespace tern
{

namespace
{

__global__ void aggregate_kernel(
    std::uint32_t const * keys, std::uint32_t const * values, std::size_t rows, std::uint64_t * counts, std::uint64_t * sums, std::size_t groups)
{
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += std::size_t{gridDim.x} * blockDim.x)
    {
        std::uint32_t const k = keys[i];
        if (k >= groups)
            continue;
        atomicAdd(reinterpret_cast<unsigned long long *>(counts + k), 1ull);
        atomicAdd(reinterpret_cast<unsigned long long *>(sums + k), static_cast<unsigned long long>(values[i]));
    }
}

__global__ void point_count_kernel(std::uint32_t const * keys, std::size_t rows, std::uint32_t key, std::uint64_t * counter)
{
    unsigned long long mine = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += std::size_t{gridDim.x} * blockDim.x)
        mine += keys[i] == key;
    if (mine)
        atomicAdd(reinterpret_cast<unsigned long long *>(counter), mine);
}

int blocks_for(session const & s, std::size_t rows)
{
    auto const t = static_cast<std::size_t>(s.config().block_threads);
    return static_cast<int>(std::clamp<std::size_t>((rows + t - 1) / t, 1, static_cast<std::size_t>(s.config().max_blocks)));
}

} // namespace

void dense_aggregate::open(session & s)
{
    if (groups_ > s.config().max_groups)
        throw std::invalid_argument("dense_aggregate: too many groups for the session");
    TERN_ENSURE(cudaMemsetAsync(s.group_scratch(), 0, 2 * groups_ * sizeof(std::uint64_t)));
}

void dense_aggregate::push(session & s, batch const & b)
{
    aggregate_kernel<<<blocks_for(s, b.rows), s.config().block_threads, 0, s.stream()>>>(
        b.keys, b.values, b.rows, s.group_scratch(), s.group_scratch() + groups_, groups_);
    TERN_ENSURE(cudaGetLastError());
}

result_set dense_aggregate::close(session & s)
{
    std::uint64_t * const host = s.host_results();
    TERN_ENSURE(cudaMemcpyAsync(
        host, s.group_scratch(), 2 * groups_ * sizeof(std::uint64_t), cudaMemcpyDeviceToHost, s.stream()));
    s.finish();
    result_set out;
    for (std::size_t g = 0; g < groups_; ++g)
        if (host[g] != 0)
            out.emplace(static_cast<std::uint32_t>(g), group{host[g], host[groups_ + g]});
    return out;
}

void point_count::open(session & s)
{
    TERN_ENSURE(cudaMemsetAsync(s.row_counter(), 0, sizeof(std::uint64_t), s.stream()));
}

void point_count::push(session & s, batch const & b)
{
    point_count_kernel<<<blocks_for(s, b.rows), s.config().block_threads, 0, s.stream()>>>(
        b.keys, b.rows, key_, s.row_counter());
    TERN_ENSURE(cudaGetLastError());
}

result_set point_count::close(session & s)
{
    TERN_ENSURE(cudaMemcpyAsync(
        s.host_results(), s.row_counter(), sizeof(std::uint64_t), cudaMemcpyDeviceToHost, s.stream()));
    s.finish();
    return {{0u, group{s.host_results()[0], 0}}};
}

result_set execute(session & s, physical_operator & op, std::vector<batch> const & batches)
{
    op.open(s);
    for (batch const & b : batches)
        if (b.rows != 0)
            op.push(s, b);
    return op.close(s);
}

} // namespace tern

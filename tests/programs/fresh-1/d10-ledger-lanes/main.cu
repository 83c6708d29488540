#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <algorithm>

#include "lane_set.h"

using namespace ledger;

__device__ void dwell(long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while ((long long)(now - begin) < ns);
}

__global__ void post_entries(long long* book, int n, int seed, long long ns) {
    dwell(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        book[i] += (i % 13) + seed;
}

__global__ void net_books(const long long* books, long long* net, int n, int count, long long ns) {
    dwell(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        long long t = 0;
        for (int b = 0; b < count; ++b) t += books[size_t(b) * n + i];
        net[i] = t;
    }
}

__global__ void apply_fee(long long* book, const long long* net, int n, int share, long long ns) {
    dwell(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        book[i] -= net[i] / share;
}

int main() {
    chk(cudaSetDevice(0));
    constexpr int books = 4, accounts = 1 << 16, days = 3;
    const long long pause = 15'000'000;

    LaneSet lanes(books);
    thrust::device_vector<long long> all(size_t(books) * accounts, 0);
    thrust::device_vector<long long> net(accounts, 0);
    long long* raw = thrust::raw_pointer_cast(all.data());
    long long* net_raw = thrust::raw_pointer_cast(net.data());

    post_entries<<<1, 32>>>(raw, 0, 0, 0);
    net_books<<<1, 32>>>(raw, net_raw, 0, 0, 0);
    apply_fee<<<1, 32>>>(raw, net_raw, 0, 1, 0);
    chk(cudaGetLastError());
    chk(cudaDeviceSynchronize());

    std::vector<long long> totals;
    for (int day = 0; day < days; ++day) {
        for (int b = 0; b < books; ++b)
            post_entries<<<16, 256, 0, lanes[b]>>>(raw + size_t(b) * accounts, accounts, b + day, pause);
        net_books<<<16, 256>>>(raw, net_raw, accounts, books, pause);
        for (int b = 0; b < books; ++b)
            apply_fee<<<16, 256, 0, lanes[b]>>>(raw + size_t(b) * accounts, net_raw, accounts, 8, pause);
        chk(cudaGetLastError());
        totals.push_back(thrust::reduce(thrust::device, all.begin(), all.end(), 0LL));
    }

    std::vector<long long> mirror(size_t(books) * accounts, 0), sum(accounts);
    int wrong = 0;
    for (int day = 0; day < days; ++day) {
        std::fill(sum.begin(), sum.end(), 0LL);
        for (int b = 0; b < books; ++b)
            for (int i = 0; i < accounts; ++i) {
                mirror[size_t(b) * accounts + i] += (i % 13) + b + day;
                sum[i] += mirror[size_t(b) * accounts + i];
            }
        long long total = 0;
        for (int b = 0; b < books; ++b)
            for (int i = 0; i < accounts; ++i) total += (mirror[size_t(b) * accounts + i] -= sum[i] / 8);
        if (total != totals[day]) ++wrong;
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::puts("DONE");
    return wrong != 0;
}

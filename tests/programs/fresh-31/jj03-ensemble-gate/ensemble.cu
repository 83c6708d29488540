// Ensemble of heat-like exchange models with perturbed sources.
#include "gate.h"
#include "reduce.h"
#include <vector>

namespace ens {

constexpr size_t kCells = 1 << 14;
constexpr int kSteps = 40;

__host__ __device__ inline long long exchange(long long l, long long c, long long r, long long src) {
    return c + (l >> 2) + (r >> 2) - 2 * (c >> 2) + src;
}

__global__ void seed_kernel(long long* a, size_t n, int member) {
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) a[i] = static_cast<long long>((i * 2654435761ull + member * 97ull) & 0xffffffu);
}

__global__ void step_kernel(const long long* in, long long* out, size_t n, long long src) {
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    out[i] = exchange(in[i ? i - 1 : n - 1], in[i], in[i + 1 < n ? i + 1 : 0], src);
}

class Member {
public:
    explicit Member(int id)
        : id_(id), q_(id == 0 ? Urgency::urgent : Urgency::normal), a_(kCells), b_(kCells) {}

    void seed() {
        seed_kernel<<<grid(), 256, 0, q_.handle()>>>(a_.get(), kCells, id_);
        check(cudaGetLastError());
    }
    void advance(int steps) {
        for (int s = 0; s < steps; ++s) {
            step_kernel<<<grid(), 256, 0, q_.handle()>>>(a_.get(), b_.get(), kCells, id_);
            check(cudaGetLastError());
            std::swap(a_, b_);
        }
    }
    const Queue& queue() const { return q_; }
    const Array<long long>& state() const { return a_; }
    int id() const { return id_; }

private:
    static unsigned grid() { return unsigned((kCells + 255) / 256); }
    int id_;
    Queue q_;
    Array<long long> a_, b_;
};

class Ensemble {
public:
    explicit Ensemble(int members) : control_(kCells) {
        for (int m = 0; m < members; ++m) members_.push_back(std::make_unique<Member>(m));
        seed_kernel<<<unsigned((kCells + 255) / 256), 256>>>(control_.get(), kCells, members);
        check(cudaGetLastError());
        for (auto& m : members_) {
            m->seed();
            m->advance(2);
        }
        for (auto& m : members_) m->queue().finish();
        mass0_ = reducer_.sum(control_);
    }

    void run(int steps) {
        gate_.rearm();
        for (auto& m : members_) gate_.hold(m->queue());
        for (auto& m : members_) m->advance(steps);
        drift_ = reducer_.sum(control_) - mass0_;
        gate_.open();
        for (auto& m : members_) m->queue().finish();
    }

    long long drift() const { return drift_; }
    long long mass(int m) { return reducer_.sum(members_[m]->state()); }

private:
    Gate gate_;
    Reducer reducer_;
    Array<long long> control_;
    std::vector<std::unique_ptr<Member>> members_;
    long long mass0_ = 0, drift_ = 0;
};

static long long reference(int member, int steps) {
    std::vector<long long> a(kCells), b(kCells);
    for (size_t i = 0; i < kCells; ++i)
        a[i] = static_cast<long long>((i * 2654435761ull + member * 97ull) & 0xffffffu);
    for (int s = 0; s < steps; ++s) {
        for (size_t i = 0; i < kCells; ++i)
            b[i] = exchange(a[i ? i - 1 : kCells - 1], a[i], a[i + 1 < kCells ? i + 1 : 0], member);
        a.swap(b);
    }
    long long t = 0;
    for (long long v : a) t += v;
    return t;
}

}  // namespace ens

int main() {
    constexpr int members = 4;
    ens::Ensemble e(members);
    e.run(ens::kSteps);
    int wrong = e.drift() != 0;
    for (int m = 0; m < members; ++m) wrong += e.mass(m) != ens::reference(m, ens::kSteps + 2);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}

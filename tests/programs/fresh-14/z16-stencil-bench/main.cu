// Steady state benchmark of stencil schemes on several independent fields.
#include "bench.cuh"

#include <algorithm>

namespace {

constexpr int kCells = 1 << 14;
constexpr int kLanes = 4;
constexpr int kSteps = 5;

struct Measurement {
    float claimed_ms = 0.0f;
    double device_ms = 0.0;
};

class Bench {
public:
    explicit Bench(int lanes)
    {
        check(cudaStreamCreateWithFlags(&control_, cudaStreamNonBlocking));
        check(cudaMalloc(&clock_, sizeof(st::Clock)));
        for (int l = 0; l < lanes; ++l)
            lanes_.push_back(std::make_unique<st::Lane>(kCells, l));
    }
    ~Bench()
    {
        lanes_.clear();
        cudaFree(clock_);
        cudaStreamDestroy(control_);
    }

    Measurement measure(const st::Scheme& scheme)
    {
        for (auto& l : lanes_) {
            l->step(scheme, clock_);
            check(cudaEventSynchronize(l->mark()));
            l->reset();
        }
        const st::Clock zero{~0ull, 0ull};
        check(cudaMemcpyAsync(clock_, &zero, sizeof zero, cudaMemcpyHostToDevice, control_));
        check(cudaStreamSynchronize(control_));

        check(cudaEventRecord(start_.get(), control_));
        for (auto& l : lanes_) {
            l->begin_after(start_.get());
            for (int s = 0; s < kSteps; ++s)
                l->step(scheme, clock_);
        }
        for (auto& l : lanes_)
            check(cudaStreamWaitEvent(control_, l->mark(), 0));
        check(cudaEventRecord(stop_.get(), control_));
        check(cudaEventSynchronize(stop_.get()));

        Measurement m;
        st::Clock c{};
        check(cudaEventElapsedTime(&m.claimed_ms, start_.get(), stop_.get()));
        check(cudaMemcpyAsync(&c, clock_, sizeof c, cudaMemcpyDeviceToHost, control_));
        check(cudaStreamSynchronize(control_));
        m.device_ms = 1e-6 * static_cast<double>(c.last - c.first);
        return m;
    }

    int verify(int radius) const
    {
        int wrong = 0;
        for (const auto& l : lanes_) {
            auto a = l->initial();
            auto b = a;
            for (int s = 0; s < kSteps; ++s) {
                for (int i = 0; i < kCells; ++i) {
                    int acc = 0;
                    for (int k = -radius; k <= radius; ++k)
                        acc += a[(i + k + kCells) % kCells];
                    b[i] = acc & 0xffff;
                }
                a.swap(b);
            }
            const auto got = l->download();
            for (int i = 0; i < kCells; ++i)
                wrong += got[i] != a[i];
        }
        return wrong;
    }

private:
    static void check(cudaError_t e) { st::check(e); }

    cudaStream_t control_ = nullptr;
    st::Clock* clock_ = nullptr;
    st::event_ptr start_ = st::make_event();
    st::event_ptr stop_ = st::make_event();
    std::vector<std::unique_ptr<st::Lane>> lanes_;
};

}  // namespace

int main()
{
    const std::vector<st::Scheme> schemes{st::Stencil<1>{}, st::Stencil<2>{}, st::Stencil<4>{}};
    Bench bench(kLanes);
    std::optional<double> worst;
    int wrong = 0;
    for (const auto& scheme : schemes) {
        const int radius = std::visit([](const auto& k) { return k.radius; }, scheme);
        const Measurement m = bench.measure(scheme);
        wrong += bench.verify(radius);
        std::printf("radius %d: %.2f ms for %d steps of %d fields\n", radius, m.claimed_ms, kSteps, kLanes);
        const double r = std::max(m.claimed_ms / m.device_ms, m.device_ms / m.claimed_ms);
        worst = std::max(worst.value_or(r), r);
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (worst.value() > 1.5)
        std::printf("SLOW %.2f\n", *worst);
    else
        std::printf("DONE\n");
    return 0;
}

// Frame loop of a small renderer: simulation on the async compute queue, drawing on the
// graphics queue, constants through the transfer queue.
#include "device.h"
#include "jobs.h"
#include <algorithm>
#include <chrono>

namespace gpu {
constexpr QueueDesc kQueues[QueueCount] = {
    {"graphics", true},
    {"async-compute", false, -1, cudaStreamNonBlocking},
    {"transfer", false, 0, cudaStreamNonBlocking},
};

Device::Device()
{
    for (int q = 0; q < QueueCount; ++q)
        if (!kQueues[q].adopt) GPU(cudaStreamCreateWithPriority(&queues_[q], kQueues[q].flags, kQueues[q].priority));
}
Device::~Device()
{
    for (int q = 0; q < QueueCount; ++q)
        if (!kQueues[q].adopt) cudaStreamDestroy(queues_[q]);
}
}  // namespace gpu

namespace {
constexpr int kFramesInFlight = 2;

struct Toggles {  // r_simulate, r_draw
    bool simulate = true;
    bool draw = true;
};

class Renderer {
public:
    Renderer() : scheduler_(3)
    {
        for (int** buffer : {&particles_, &cloth_, &shadows_, &lit_}) {
            GPU(cudaMalloc(buffer, sizeof(int) * kItems));
            GPU(cudaMemset(*buffer, 0, sizeof(int) * kItems));
        }
        GPU(cudaMalloc(&image_, sizeof(long long) * kItems));
        GPU(cudaMemset(image_, 0, sizeof(long long) * kItems));
        GPU(cudaMalloc(&constants_, sizeof(FrameConstants)));
        GPU(cudaMallocHost(&staging_, sizeof(FrameConstants) * kFramesInFlight));
        device_.finish();
    }
    ~Renderer()
    {
        device_.finish();
        for (int* buffer : {particles_, cloth_, shadows_, lit_}) cudaFree(buffer);
        cudaFree(image_);
        cudaFree(constants_);
        cudaFreeHost(staging_);
    }

    // Milliseconds for a number of frames.
    double play(int frames, Toggles toggles)
    {
        const auto begin = std::chrono::steady_clock::now();
        for (int f = 0; f < frames; ++f) frame(toggles);
        device_.finish();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }

    int audit() const
    {
        std::vector<int> particles(kItems, 0), cloth(kItems, 0), lit(kItems, 0);
        std::vector<long long> expected(kItems, 0), image(kItems);
        for (std::size_t f = 0; f < played_.size(); ++f)
            for (int i = 0; i < kItems; ++i) {
                if (played_[f].simulate) cloth[i] = 1 + 2 * (particles[i] += int(f % 5) + i % 3);
                if (played_[f].draw) lit[i] = 3 * ((int(7 * f + 1) ^ i) & 255);
                expected[i] += lit[i] + cloth[i];
            }
        GPU(cudaMemcpy(image.data(), image_, sizeof(long long) * kItems, cudaMemcpyDeviceToHost));
        int wrong = 0;
        for (int i = 0; i < kItems; ++i) wrong += image[i] != expected[i];
        return wrong;
    }
private:
    void frame(Toggles toggles)
    {
        const int number = int(played_.size());
        const int side = number % kFramesInFlight;
        played_.push_back(toggles);
        presented_[side].block();

        // Recording runs on the workers, one slot per pass; submission keeps the slot order.
        FrameConstants* staged = &staging_[side];
        std::vector<gpu::Pass> passes(6);
        jobs::Counter recording{0};
        scheduler_.kick(recording, [&, staged] {
            *staged = {number, number % 5, 7 * number + 1};
            passes[0] = {gpu::Transfer, {&presented_[1 - side]}, [this, staged](cudaStream_t s) {
                             GPU(cudaMemcpyAsync(constants_, staged, sizeof(*staged), cudaMemcpyHostToDevice, s));
                         }, &uploaded_};
        });
        if (toggles.simulate)
            scheduler_.kick(recording, [&] {
                passes[1] = {gpu::Compute, {&uploaded_}, [this](cudaStream_t s) { drawParticles(constants_, particles_, s); }};
                passes[3] = {gpu::Compute, {}, [this](cudaStream_t s) { drawCloth(particles_, cloth_, s); }, &simulated_};
            });
        if (toggles.draw)
            scheduler_.kick(recording, [&] {
                passes[2] = {gpu::Graphics, {&uploaded_}, [this](cudaStream_t s) { drawShadows(constants_, shadows_, s); }};
                passes[4] = {gpu::Graphics, {}, [this](cudaStream_t s) { drawLighting(shadows_, lit_, s); }};
            });
        scheduler_.kick(recording, [&] {
            passes[5] = {gpu::Graphics, {&uploaded_, &simulated_},
                         [this](cudaStream_t s) { drawComposite(lit_, cloth_, image_, s); }, &presented_[side]};
        });
        scheduler_.wait(recording);
        for (const gpu::Pass& pass : passes) device_.submit(pass);
        GPU(cudaGetLastError());
    }

    jobs::Scheduler scheduler_;
    gpu::Device device_;
    gpu::Fence uploaded_, simulated_, presented_[kFramesInFlight];
    std::vector<Toggles> played_;
    int *particles_, *cloth_, *shadows_, *lit_;
    long long* image_;
    FrameConstants *constants_, *staging_;
};
}  // namespace

int main()
{
    Renderer renderer;
    renderer.play(4, {});
    const double simulate = renderer.play(10, {true, false});
    const double draw = renderer.play(10, {false, true});
    const double both = renderer.play(10, {});
    const double ratio = both / std::max(simulate, draw);
    if (const int wrong = renderer.audit())
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}

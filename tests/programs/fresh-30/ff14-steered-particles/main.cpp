// Particles in a steered force field. The integrator and the steering run on timelines of
// their own and meet at marks in device memory; the field is kept twice.
#include "particles.h"

#include <thread>
#include <vector>

namespace {

constexpr int kParticles = 8192;
constexpr int kSteps = 40;

enum Mark { FieldsBuilt, StepsDone, MarkCount };

struct World {
    World() : particles(kParticles), fields(2 * kCells), marks(MarkCount)
    {
        std::vector<Particle> start;
        for (int i = 0; i < kParticles; ++i) start.push_back(startOf(i));
        particles.upload(start.data());
        drv::expect(cuCtxSynchronize());
    }
    static Particle startOf(int i) { return {i * 3 - 9000, i % 13 - 6}; }
    drv::Memory<Particle> particles;
    drv::Memory<int> fields;
    drv::Memory<cuuint32_t> marks;
    CUdeviceptr field(int step) const { return fields.at((step % 2) * kCells); }
    CUdeviceptr mark(Mark m) const { return marks.at(m); }
};

class Integrator {
public:
    Integrator(World& world, const Functions& functions) : world_(world), functions_(functions)
    {
        advance(0, 0);
        timeline_.drain();
    }
    void schedule()
    {
        for (int step = 0; step < kSteps; ++step) {
            timeline_.hold(world_.mark(FieldsBuilt), step + 1);
            advance(step, kParticles);
            timeline_.raise(world_.mark(StepsDone), step + 1);
        }
    }
    void finish() { timeline_.drain(); }

private:
    void advance(int step, int count)
    {
        timeline_.launch(functions_.integrate, kParticles / 256, 256, world_.particles.at(), count, world_.field(step));
    }
    World& world_;
    Functions functions_;
    drv::Timeline timeline_;
};

class Steering {
public:
    Steering(World& world, const Functions& functions) : world_(world), functions_(functions)
    {
        build(0, 0);
        timeline_.raise(world_.mark(FieldsBuilt), 0);
        timeline_.drain();
    }
    void run()
    {
        for (int step = 0; step < kSteps; ++step) {
            if (step >= 2) timeline_.hold(world_.mark(StepsDone), step - 1);
            build(step, kCells);
            timeline_.raise(world_.mark(FieldsBuilt), step + 1);
        }
        timeline_.drain();
    }

private:
    void build(int step, int cells) { timeline_.launch(functions_.build, 1, 128, world_.field(step), cells, step); }

    World& world_;
    Functions functions_;
    drv::Timeline timeline_;
};

int audit(const World& world)
{
    std::vector<Particle> got(kParticles);
    world.particles.download(got.data());
    int wrong = 0;
    for (int i = 0; i < kParticles; ++i) {
        Particle p = World::startOf(i);
        for (int step = 0; step < kSteps; ++step) {
            p.velocity += steering(step, (p.position >> 4) & (kCells - 1));
            p.position += p.velocity;
        }
        wrong += p.position != got[i].position || p.velocity != got[i].velocity;
    }
    return wrong;
}

}  // namespace

int main()
{
    const drv::PrimaryContext context;
    const Functions functions = loadFunctions();
    int wrong = 0;
    {
        World world;
        Integrator integrator(world, functions);
        Steering steering(world, functions);

        integrator.schedule();
        std::thread helm([&] {
            context.enter();
            steering.run();
        });
        integrator.finish();
        helm.join();
        wrong = audit(world);
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

// Particle-in-cell run with a resident mover.
#include "mover.h"
#include <vector>

using namespace pic;

class Simulation {
public:
    explicit Simulation(int steps) : steps_(steps), particles_(kParticles), probes_(steps + 1) {
        std::vector<Particle> init(kParticles);
        for (int i = 0; i < kParticles; ++i) init[i] = initial(i);
        PIC_TRY(cudaMemcpy(particles_.p, init.data(), init.size() * sizeof(Particle),
                           cudaMemcpyHostToDevice));
        overhead_ = cycle_cost();
    }

    void run() {
        mover_.launch(particles_.p, kParticles, solver_.efield(), steps_);
        for (int s = 1; s <= steps_; ++s) {
            solver_.solve(particles_.p, kParticles, &probes_[s - 1]);
            solver_.await();
            mover_.command(s);
            mover_.await(s);
        }
        mover_.finish();
    }

    std::vector<Particle> particles() const {
        std::vector<Particle> out(kParticles);
        PIC_TRY(cudaMemcpy(out.data(), particles_.p, out.size() * sizeof(Particle),
                           cudaMemcpyDeviceToHost));
        return out;
    }
    int probe(int s) { return probes_[s]; }
    double overhead() const { return overhead_; }

private:
    // Time of an empty cycle, reported with the run.
    double cycle_cost() {
        Stopwatch w;
        solver_.solve(particles_.p, 0, &probes_[steps_]);
        solver_.await();
        mover_.launch(particles_.p, 0, solver_.efield(), 0);
        mover_.finish();
        return w.ms();
    }

    int steps_;
    DeviceField<Particle> particles_;
    PinnedField<int> probes_;
    FieldSolver solver_;
    Mover mover_;
    double overhead_ = 0;
};

int main() {
    constexpr int steps = 50;
    Simulation sim(steps);
    Stopwatch w;
    sim.run();
    std::fprintf(stderr, "run %.2f ms, empty cycle %.3f ms\n", w.ms(), sim.overhead());

    std::vector<Particle> ref(kParticles);
    for (int i = 0; i < kParticles; ++i) ref[i] = initial(i);
    int wrong = 0;
    for (int s = 0; s < steps; ++s) {
        std::vector<int> rho(kCells, 0);
        for (const Particle& p : ref) ++rho[p.x / kSubcell];
        wrong += sim.probe(s) != field_at(rho.data(), 0);
        for (Particle& p : ref) kick_and_drift(p, field_at(rho.data(), p.x / kSubcell));
    }
    std::vector<Particle> got = sim.particles();
    for (int i = 0; i < kParticles; ++i) wrong += got[i].x != ref[i].x || got[i].v != ref[i].v;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}

#include <cmath>
#include <vector>

#include "solver.cuh"

static int operate() {
    const std::vector<double> schedule = {1.0, 0.25, 4.0, 2.5, 0.75, 3.0};
    steer::Solver solver(6000);
    solver.start();
    int epoch = 0;
    for (double scale : schedule) solver.load(++epoch, scale);
    solver.halt();

    int wrong = 0;
    for (int i = 0; i < solver.cells(); ++i) {
        double want = 0.0;
        for (double scale : schedule) want = 0.5 * want + scale * (i % 97);
        if (std::fabs(want - solver.cell(i)) > 1e-9) ++wrong;
    }
    return wrong;
}

int main() {
    try {
        const int wrong = operate();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const steer::CudaFailure& f) {
        std::printf("ERROR %s\n", f.what());
        return 1;
    }
}

// poisson: time of a relaxation, as the events see it
#include "machine.h"

#include <algorithm>
#include <cstdio>

int main()
{
    poisson::Machine machine(24);
    const poisson::Outcome o = machine.run();

    if (o.error != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(o.error));
        return 0;
    }
    std::fprintf(stderr, "events %.2f ms, host %.2f ms\n", o.reported_ms, o.witness_ms);

    const double shown = std::max<double>(o.reported_ms, 1e-3);
    const double ratio = std::max(o.witness_ms / shown, shown / o.witness_ms);
    if (o.mismatches)
        std::printf("WRONG %ld\n", o.mismatches);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::puts("DONE");
    return 0;
}

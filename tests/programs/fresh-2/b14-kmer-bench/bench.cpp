#include "bench.h"

namespace bench {

double Harness::measure(Workload& w) {
    for (int i = 0; i < opt_.warmups; ++i) w.enqueue();
    w.settle();

    Stopwatch watch(stream_);
    watch.start();
    for (int i = 0; i < opt_.repeats; ++i) w.enqueue();
    const double total = watch.stopMs();
    w.settle();
    return total / opt_.repeats;
}

}  // namespace bench

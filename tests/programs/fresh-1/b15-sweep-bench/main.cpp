#include "sweep.h"

int main()
{
    bench b;
    sweep s;
    bench_open(&b, 2, 8);
    sweep_open(&s);

    const bench_case cases[] = {
        {"norm", norm_queue, norm_drain, &s},
        {"sweep", sweep_queue, sweep_drain, &s},
    };

    double worst = 1.0;
    for (const bench_case &c : cases) {
        bench_result r;
        bench_run(&b, &c, &r);
        double shown = r.ms_per_rep > 1e-4 ? r.ms_per_rep : 1e-4;
        double ratio = r.wall_ms_per_rep / shown;
        if (ratio < 1.0)
            ratio = 1.0 / ratio;
        if (ratio > worst)
            worst = ratio;
    }
    int wrong = sweep_check(&s);
    sweep_close(&s);
    bench_close(&b);

    if (wrong)
        printf("WRONG %d\n", wrong);
    else if (worst > 1.5)
        printf("SLOW %.2f\n", worst);
    else
        printf("DONE\n");
    return 0;
}

#include "rack.h"

#include <vector>

struct designer {
    fir_block kept[PRESETS];
};

static void design_preset(fir_block *b, int id, void *user)
{
    designer *d = static_cast<designer *>(user);
    b->gain = id + 1;
    b->spread = 1 + id * 3;
    for (int t = 0; t < TAPS; ++t)
        b->taps[t] = (t * 5 + id * 3) % 13 - 6;
    d->kept[id] = *b;
}

static int fir_at(const std::vector<int> &in, const fir_block &b, int i)
{
    int acc = 0;
    for (int t = 0; t < TAPS; ++t) {
        int j = i - t * b.spread;
        acc += j >= 0 ? in[j] * b.taps[t] : 0;
    }
    return acc * b.gain;
}

int main()
{
    std::vector<int> in(SAMPLES);
    for (int i = 0; i < SAMPLES; ++i)
        in[i] = (i * 37) % 201 - 100;

    designer d;
    rack r;
    rack_open(&r, in.data());
    for (int p = 0; p < PRESETS; ++p)
        rack_compile(&r, p, design_preset, &d);

    int wrong = 0;
    for (int round = 0; round < 3; ++round) {
        for (int p = 0; p < PRESETS; ++p)
            rack_play(&r, p);
        rack_wait(&r);
        for (int p = 0; p < PRESETS; ++p)
            for (int i = 0; i < SAMPLES; ++i)
                if (r.bank[p].out[i] != fir_at(in, d.kept[p], i))
                    ++wrong;
    }
    rack_close(&r);

    if (wrong)
        printf("WRONG %d\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}

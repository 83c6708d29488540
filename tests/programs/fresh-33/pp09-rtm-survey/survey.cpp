/* survey.cpp - the shot loop */
#include "rtm.h"
#include <chrono>
#include <cmath>
#include <vector>

static struct rtm_slot slots[RTM_SLOTS];
static struct rtm_shot shots[RTM_SHOTS];
static double          vel[RTM_NX];

static const struct rtm_stage shot_plan[] = {
    { "inject",    stage_inject    },
    { "leg-down",  stage_propagate },
    { "margin",    stage_boundary  },
    { "leg-up",    stage_propagate },
    { "margin",    stage_boundary  },
    { "image",     stage_image     },
};

static void survey_setup(void) {
    const size_t bytes = RTM_NX * sizeof(double);
    RT(cudaSetDevice(0));
    RT(cudaMalloc(&rtmenv_.vel, bytes));
    for (int i = 0; i < RTM_NX; ++i)
        vel[i] = 0.20 + 0.15 * (i % 97) / 97.0;
    RT(cudaMemcpy(rtmenv_.vel, vel, bytes, cudaMemcpyHostToDevice));
    for (struct rtm_slot &s : slots) {
        RT(cudaStreamCreate(&s.stream));
        for (double **a : { &s.p, &s.q, &s.wav, &s.img })
            RT(cudaMalloc(a, bytes));
    }
    for (int k = 0; k < RTM_SHOTS; ++k) {
        shots[k].id = k;
        RT(cudaMallocHost(&shots[k].wavelet, bytes));
        RT(cudaMallocHost(&shots[k].gather, bytes));
        int centre = RTM_NX * (k + 1) / (RTM_SHOTS + 1);
        for (int i = 0; i < RTM_NX; ++i) {
            double a = (i - centre) / 6.0;
            shots[k].wavelet[i] = (1.0 - 2.0 * a * a) * std::exp(-a * a);
        }
    }
    rtm_bind_kernels();
}

static void shot_enqueue(struct rtm_shot *shot) {
    struct rtm_slot *s = &slots[shot->id % RTM_SLOTS];
    rtmenv_.stream = s->stream;
    for (const struct rtm_stage &st : shot_plan)
        st.run(s, shot);
}

/* Runs shots [first, first+count) and returns the wall time in ms. */
static double survey_run(int first, int count) {
    auto t0 = std::chrono::steady_clock::now();
    for (int k = first; k < first + count; ++k)
        shot_enqueue(&shots[k]);
    for (struct rtm_slot &s : slots)
        RT(cudaStreamSynchronize(s.stream));
    std::chrono::duration<double, std::milli> d = std::chrono::steady_clock::now() - t0;
    return d.count();
}

static void survey_stack(std::vector<double> &image) {
    std::vector<double> part(RTM_NX);
    image.assign(RTM_NX, 0.0);
    for (struct rtm_slot &s : slots) {
        RT(cudaMemcpy(part.data(), s.img, RTM_NX * sizeof(double), cudaMemcpyDeviceToHost));
        for (int i = 0; i < RTM_NX; ++i)
            image[i] += part[i];
    }
}

int main(void) {
    survey_setup();
    for (int k = 0; k < RTM_SLOTS; ++k)
        survey_run(k, 1);
    const double solo = survey_run(0, 1);
    for (struct rtm_slot &s : slots)
        RT(cudaMemset(s.img, 0, RTM_NX * sizeof(double)));
    RT(cudaDeviceSynchronize());
    const double all = survey_run(0, RTM_SHOTS);
    const double planned = solo * ((RTM_SHOTS + RTM_SLOTS - 1) / RTM_SLOTS);
    std::vector<double> image;
    survey_stack(image);
    const long bad = rtm_verify(shots, vel, image.data());
    const double ratio = all / planned;
    fprintf(stderr, "solo %.2f ms, survey %.2f ms\n", solo, all);
    if (bad) printf("WRONG %ld\n", bad);
    else if (ratio > 1.5) printf("SLOW %.2f\n", ratio);
    else printf("DONE\n");
    return 0;
}

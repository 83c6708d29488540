/* main.cu - the time loop */
#include "model.h"

static struct model_state model;

int main(void) {
    CHECK(cudaSetDevice(0));
    model_init(&model);
    history_init();
    io_open();
    model_add_hook("history", history_write, NHIST);
    model_add_hook("hold", history_hold, NHIST);
    while (model.step < NSTEP)
        model_step(&model);
    history_final();
    model_final(&model);
    long bad = verify_archive(io_archive());
    if (bad) std::printf("WRONG %ld\n", bad);
    else std::printf("DONE\n");
    return 0;
}

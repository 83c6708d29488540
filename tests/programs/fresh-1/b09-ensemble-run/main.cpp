#include "ensemble.h"

#include <thread>

int main()
{
    static ensemble e;
    ensemble_create(&e);

    std::thread controller(ensemble_control, &e);
    ensemble_queue(&e);
    ensemble_wait(&e);
    controller.join();

    int wrong = 0;
    for (int i = 0; i < MEMBERS; ++i)
        for (unsigned c = 0; c < CELLS; ++c)
            if (e.result[i][c] != ensemble_reference(i, c))
                ++wrong;
    ensemble_destroy(&e);

    if (wrong)
        printf("WRONG %d\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}

#include "harness.h"

namespace bench {

Event makeEvent()
{
    cudaEvent_t e;
    expect(cudaEventCreate(&e));
    return Event(e);
}

Report measure(Device& dev, const Operation& op, int calls)
{
    Event from = makeEvent();
    Event to = makeEvent();

    op(dev);
    dev.quiesce();

    expect(cudaEventRecord(from.get(), dev.stream()));
    for (int i = 0; i < calls; ++i)
        op(dev);
    expect(cudaEventRecord(to.get(), dev.stream()));
    expect(cudaEventSynchronize(to.get()));

    float ms = 0;
    expect(cudaEventElapsedTime(&ms, from.get(), to.get()));
    return {double(ms) / calls, calls};
}

}  // namespace bench

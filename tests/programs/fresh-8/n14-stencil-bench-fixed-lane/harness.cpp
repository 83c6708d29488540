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

    const cudaStream_t lane = dev.stream();
    op(lane);
    dev.quiesce();

    expect(cudaEventRecord(from.get(), lane));
    for (int i = 0; i < calls; ++i)
        op(lane);
    expect(cudaEventRecord(to.get(), lane));
    expect(cudaEventSynchronize(to.get()));

    float ms = 0;
    expect(cudaEventElapsedTime(&ms, from.get(), to.get()));
    return {double(ms) / calls, calls};
}

}  // namespace bench

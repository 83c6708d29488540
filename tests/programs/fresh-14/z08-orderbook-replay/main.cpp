// Replays a day of orders into a book that lives on the device.
#include "replay.h"

#include <array>
#include <vector>

namespace {

Order make_order(int block, int i)
{
    return Order{(i * 37 + block * 11) % kLevels, (i % 5) - 1 + block};
}

PinnedBlock& next_block(std::array<PinnedBlock, 3>& bank)
{
    for (;;) {
        for (PinnedBlock& b : bank)
            if (b.try_take())
                return b;
        std::this_thread::yield();
    }
}

}  // namespace

int main()
{
    DRV(cuInit(0));
    CUdevice dev;
    CUcontext ctx;
    DRV(cuDeviceGet(&dev, 0));
    DRV(cuDevicePrimaryCtxRetain(&ctx, dev));
    DRV(cuCtxSetCurrent(ctx));

    CUstream upload, apply;
    DRV(cuStreamCreate(&upload, CU_STREAM_NON_BLOCKING));
    DRV(cuStreamCreate(&apply, CU_STREAM_DEFAULT));

    CUevent arrived;
    std::array<CUevent, 2> applied{};
    DRV(cuEventCreate(&arrived, CU_EVENT_DISABLE_TIMING));
    for (CUevent& e : applied)
        DRV(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));

    CUdeviceptr book;
    std::array<CUdeviceptr, 2> orders{};
    DRV(cuMemAlloc(&book, kLevels * sizeof(int)));
    for (CUdeviceptr& o : orders)
        DRV(cuMemAlloc(&o, kOrders * sizeof(Order)));
    DRV(cuMemsetD32Async(book, 0, kLevels, nullptr));

    std::array<PinnedBlock, 3> bank;
    for (PinnedBlock& b : bank) {
        void* p = nullptr;
        DRV(cuMemHostAlloc(&p, kOrders * sizeof(Order), 0));
        b.data = static_cast<Order*>(p);
        DRV(cuEventCreate(&b.left, CU_EVENT_DISABLE_TIMING));
    }

    {
        Dispatcher dispatcher(ctx);
        for (int n = 0; n < kBlocksOfOrders; ++n) {
            PinnedBlock& b = next_block(bank);
            for (int i = 0; i < kOrders; ++i)
                b.data[i] = make_order(n, i);

            dispatcher.post([&b, n, upload, apply, arrived, &orders, &applied, book] {
                const int slot = n & 1;
                DRV(cuStreamWaitEvent(upload, applied[slot], 0));
                DRV(cuMemcpyHtoDAsync(orders[slot], b.data, kOrders * sizeof(Order), upload));
                DRV(cuEventRecord(b.left, upload));
                b.state.store(PinnedBlock::kCopying, std::memory_order_release);

                DRV(cuEventRecord(arrived, upload));
                DRV(cuStreamWaitEvent(apply, arrived, 0));
                apply_orders(reinterpret_cast<const Order*>(orders[slot]), kOrders,
                             reinterpret_cast<int*>(book), apply);
                DRV(cuEventRecord(applied[slot], apply));
            });
        }
        dispatcher.stop();
    }

    std::vector<int> got(kLevels), want(kLevels, 0);
    DRV(cuMemcpyDtoH(got.data(), book, kLevels * sizeof(int)));
    for (int n = 0; n < kBlocksOfOrders; ++n)
        for (int i = 0; i < kOrders; ++i) {
            const Order o = make_order(n, i);
            want[o.level] += o.delta;
        }
    int wrong = 0;
    for (int l = 0; l < kLevels; ++l)
        wrong += got[l] != want[l];

    DRV(cuCtxSynchronize());
    for (PinnedBlock& b : bank) {
        DRV(cuEventDestroy(b.left));
        DRV(cuMemFreeHost(b.data));
    }
    for (CUdeviceptr o : orders)
        DRV(cuMemFree(o));
    DRV(cuMemFree(book));
    DRV(cuStreamDestroy(upload));
    DRV(cuStreamDestroy(apply));
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}

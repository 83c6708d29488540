#include "wallcycle.h"

#include <cstdlib>

namespace mdk
{

DeviceError::DeviceError(cudaError_t status, const std::string& where) :
    std::runtime_error(where + ": " + cudaGetErrorString(status)), status_(status)
{
}

DeviceStreamManager::DeviceStreamManager()
{
    for (cudaStream_t& stream : streams_)
    {
        MDK_DEVICE_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
}

DeviceStreamManager::~DeviceStreamManager()
{
    for (cudaStream_t stream : streams_)
    {
        (void)cudaStreamDestroy(stream);
    }
}

void DeviceStreamManager::synchronizeAll() const
{
    for (cudaStream_t stream : streams_)
    {
        MDK_DEVICE_CALL(cudaStreamSynchronize(stream));
    }
}

const char* enumValueToString(WallCycleCounter counter)
{
    switch (counter)
    {
        case WallCycleCounter::Run: return "Run";
        case WallCycleCounter::Step: return "Step";
        case WallCycleCounter::LaunchGpuLocal: return "Launch GPU local";
        case WallCycleCounter::LaunchGpuNonLocal: return "Launch GPU non-local";
        case WallCycleCounter::LaunchGpuUpdate: return "Launch GPU update";
        default: return "?";
    }
}

WallCycleOptions WallCycleOptions::fromEnvironment()
{
    WallCycleOptions options;
    options.useBarriers = std::getenv("MDK_CYCLE_BARRIER") != nullptr;
    return options;
}

WallCycle::WallCycle(const DeviceStreamManager& streams, const WallCycleOptions& options) :
    streams_(streams), options_(options)
{
}

WallCycle::Clock::time_point WallCycle::now() const
{
    if (options_.useBarriers)
    {
        streams_.synchronizeAll();
    }
    return Clock::now();
}

void WallCycle::start(WallCycleCounter counter)
{
    Entry& entry  = entries_[static_cast<int>(counter)];
    entry.running = true;
    entry.begin   = now();
}

void WallCycle::stop(WallCycleCounter counter)
{
    Entry& entry = entries_[static_cast<int>(counter)];
    if (!entry.running)
    {
        return;
    }
    entry.sum += now() - entry.begin;
    entry.count++;
    entry.running = false;
}

void WallCycle::reset()
{
    for (Entry& entry : entries_)
    {
        entry = Entry();
    }
}

int64_t WallCycle::count(WallCycleCounter counter) const
{
    return entries_[static_cast<int>(counter)].count;
}

double WallCycle::milliseconds(WallCycleCounter counter) const
{
    const Entry& entry = entries_[static_cast<int>(counter)];
    return std::chrono::duration<double, std::milli>(entry.sum).count();
}

void WallCycle::printTable() const
{
    if (options_.log == nullptr)
    {
        return;
    }
    for (int c = 0; c < static_cast<int>(WallCycleCounter::Count); c++)
    {
        const auto counter = static_cast<WallCycleCounter>(c);
        std::fprintf(options_.log,
                     "%-22s %8lld %12.3f ms\n",
                     enumValueToString(counter),
                     static_cast<long long>(count(counter)),
                     milliseconds(counter));
    }
}

} // namespace mdk

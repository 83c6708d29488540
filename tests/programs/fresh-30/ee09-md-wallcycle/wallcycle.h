/*! \file
 * \brief Cycle counting and performance accounting of a molecular dynamics run.
 */
#ifndef MDK_WALLCYCLE_H
#define MDK_WALLCYCLE_H

#include <cuda_runtime_api.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace mdk
{

class DeviceError : public std::runtime_error
{
public:
    DeviceError(cudaError_t status, const std::string& where);
    cudaError_t status() const { return status_; }

private:
    cudaError_t status_;
};

#define MDK_DEVICE_CALL(call)                                                \
    do                                                                       \
    {                                                                        \
        const cudaError_t mdkStatus_ = (call);                               \
        if (mdkStatus_ != cudaSuccess)                                       \
        {                                                                    \
            throw ::mdk::DeviceError(mdkStatus_, #call);                     \
        }                                                                    \
    } while (false)

enum class DeviceStreamType : int
{
    NonBondedLocal,
    NonBondedNonLocal,
    UpdateAndConstraints,
    Count
};

//! Owns the streams of one device.
class DeviceStreamManager
{
public:
    DeviceStreamManager();
    ~DeviceStreamManager();
    DeviceStreamManager(const DeviceStreamManager&) = delete;
    DeviceStreamManager& operator=(const DeviceStreamManager&) = delete;

    cudaStream_t stream(DeviceStreamType type) const { return streams_[static_cast<int>(type)]; }
    void         synchronizeAll() const;

private:
    std::array<cudaStream_t, static_cast<int>(DeviceStreamType::Count)> streams_{};
};

enum class WallCycleCounter : int
{
    Run,
    Step,
    LaunchGpuLocal,
    LaunchGpuNonLocal,
    LaunchGpuUpdate,
    Count
};

const char* enumValueToString(WallCycleCounter counter);

struct WallCycleOptions
{
    //! Put a barrier in front of every reading of the clock, see MDK_CYCLE_BARRIER.
    bool useBarriers = false;
    //! Write the table of counters when the run is finished.
    FILE* log = nullptr;

    static WallCycleOptions fromEnvironment();
};

/*! \brief Counters of host time, one for each part of a step.
 *
 * The parts named Launch* are times of the host. Run is the time from the first step until the
 * last step is complete, and performance is computed from it.
 */
class WallCycle
{
public:
    WallCycle(const DeviceStreamManager& streams, const WallCycleOptions& options);

    void start(WallCycleCounter counter);
    void stop(WallCycleCounter counter);
    void reset();

    int64_t count(WallCycleCounter counter) const;
    double  milliseconds(WallCycleCounter counter) const;
    void    printTable() const;

private:
    using Clock = std::chrono::steady_clock;
    struct Entry
    {
        int64_t           count = 0;
        Clock::duration   sum   = Clock::duration::zero();
        Clock::time_point begin;
        bool              running = false;
    };

    Clock::time_point now() const;

    const DeviceStreamManager&                                        streams_;
    WallCycleOptions                                                  options_;
    std::array<Entry, static_cast<int>(WallCycleCounter::Count)> entries_;
};

//! Starts a counter and stops it at the end of the scope.
class WallCycleScope
{
public:
    WallCycleScope(WallCycle* wcycle, WallCycleCounter counter) : wcycle_(wcycle), counter_(counter)
    {
        wcycle_->start(counter_);
    }
    ~WallCycleScope() { wcycle_->stop(counter_); }
    WallCycleScope(const WallCycleScope&) = delete;
    WallCycleScope& operator=(const WallCycleScope&) = delete;

private:
    WallCycle*       wcycle_;
    WallCycleCounter counter_;
};

} // namespace mdk

#endif

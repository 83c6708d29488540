/*! \file
 * \brief Integrates a system of particles on the device, with local and non-local interactions.
 */
#ifndef MDK_MDRUNNER_H
#define MDK_MDRUNNER_H

#include "wallcycle.h"

namespace mdk
{

struct SystemParameters
{
    int   numLocal           = 0;
    int   numNonLocal        = 0;
    float springConstant     = 1.0F;
    float timeStep           = 0.002F; //!< ps
    int   pairlistMicros     = 0;      //!< least time that a pass over the local pair list takes
};

//! What a run reports, from the accounting of the steps after warm-up.
struct Performance
{
    int64_t numSteps            = 0;
    double  millisecondsPerStep = 0;
    double  nanosecondsPerDay   = 0;
};

class MdRunner
{
public:
    MdRunner(const SystemParameters& parameters, const WallCycleOptions& options);
    ~MdRunner();
    MdRunner(const MdRunner&) = delete;
    MdRunner& operator=(const MdRunner&) = delete;

    void setCoordinates(const std::vector<float>& x);
    //! Coordinates after all steps so far.
    std::vector<float> coordinates();

    //! Runs steps that are not accounted for.
    void warmUp(int numSteps);
    //! Runs steps and reports how fast they were.
    Performance run(int numSteps);
    //! Returns when the device has no work left.
    void waitForDevice() const { streams_.synchronizeAll(); }

private:
    void doStep();

    SystemParameters    parameters_;
    DeviceStreamManager streams_;
    WallCycle           wcycle_;
    cudaEvent_t         nonLocalDone_    = nullptr;
    cudaEvent_t         localDone_       = nullptr;
    cudaEvent_t         coordinatesReady_ = nullptr;
    float*              d_x_             = nullptr;
    float*              d_v_             = nullptr;
    float*              d_f_             = nullptr;
};

} // namespace mdk

#endif

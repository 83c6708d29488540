#include "TaskFlow.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

void cudaOrDie(cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

TaskFlow::TaskFlow(int laneCount)
    : mLanes(laneCount)
{
    for (auto& lane : mLanes)
        cudaOrDie(cudaStreamCreateWithFlags(&lane, cudaStreamNonBlocking));
}

TaskFlow::~TaskFlow()
{
    for (auto& entry : mTasks)
        if (entry.second.mFinished)
            cudaEventDestroy(entry.second.mFinished);
    for (auto lane : mLanes)
        cudaStreamDestroy(lane);
}

TaskFlow::Task& TaskFlow::task(const std::string& name)
{
    Task& t = mTasks[name];
    t.mName = name;
    return t;
}

void TaskFlow::compile()
{
    mOrder.clear();
    for (auto& entry : mTasks)
    {
        if (!entry.second.mFinished)
            cudaOrDie(cudaEventCreateWithFlags(&entry.second.mFinished, cudaEventDisableTiming));
        mOrder.push_back(&entry.second);
    }
    std::stable_sort(mOrder.begin(), mOrder.end(),
                     [](const Task* a, const Task* b) { return a->mUrgency > b->mUrgency; });
}

void TaskFlow::submit()
{
    for (Task* t : mOrder)
    {
        cudaStream_t lane = mLanes.at(t->mLane);
        for (const auto& input : t->mInputs)
            cudaOrDie(cudaStreamWaitEvent(lane, mTasks.at(input).mFinished, 0));
        t->mBody(lane);
        cudaOrDie(cudaEventRecord(t->mFinished, lane));
    }
}

void TaskFlow::drain()
{
    for (auto lane : mLanes)
        cudaOrDie(cudaStreamSynchronize(lane));
}

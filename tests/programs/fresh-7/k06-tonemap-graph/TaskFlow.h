#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

// A small frame scheduler: named tasks with inputs from other tasks, each on one of a few lanes. The flow is
// built once and submitted once per frame.
class TaskFlow
{
public:
    using Body = std::function<void(cudaStream_t)>;

    class Task
    {
    public:
        Task& onLane(int lane) { mLane = lane; return *this; }
        Task& after(const std::string& name) { mInputs.push_back(name); return *this; }
        Task& urgency(int value) { mUrgency = value; return *this; }
        Task& does(Body body) { mBody = std::move(body); return *this; }

    private:
        friend class TaskFlow;
        std::string mName;
        int mLane = 0;
        int mUrgency = 0;
        std::vector<std::string> mInputs;
        Body mBody;
        cudaEvent_t mFinished = nullptr;
    };

    explicit TaskFlow(int laneCount);
    ~TaskFlow();
    TaskFlow(const TaskFlow&) = delete;
    TaskFlow& operator=(const TaskFlow&) = delete;

    Task& task(const std::string& name);
    void compile();
    void submit();
    void drain();

private:
    std::vector<cudaStream_t> mLanes;
    std::map<std::string, Task> mTasks;
    std::vector<Task*> mOrder;
};

void cudaOrDie(cudaError_t status);

#include <vector>

#include "comm.h"

static thread_local int groupDepth = 0;
static thread_local std::vector<pcclTask> groupTasks;

static pcclResult_t runTasks(std::vector<pcclTask>& tasks) {
  for (const pcclTask& task : tasks)
    PCCLCHECK(pcclReserve(task.comm, task.count));
  for (const pcclTask& task : tasks) PCCLCHECK(pcclLaunch(&task));
  return pcclSuccess;
}

pcclResult_t pcclGroupStart() {
  ++groupDepth;
  return pcclSuccess;
}

pcclResult_t pcclGroupEnd() {
  if (groupDepth == 0) return pcclInvalidUsage;
  if (--groupDepth > 0) return pcclSuccess;
  std::vector<pcclTask> tasks;
  tasks.swap(groupTasks);
  return runTasks(tasks);
}

pcclResult_t pcclAllReduce(const float* send, float* recv, size_t count,
                           pcclComm_t comm, cudaStream_t stream) {
  if (!send || !recv || !comm) return pcclInvalidArgument;
  if (count == 0) return pcclSuccess;
  PCCLCHECK(pcclGroupStart());
  groupTasks.push_back(pcclTask{send, recv, count, comm, stream});
  return pcclGroupEnd();
}

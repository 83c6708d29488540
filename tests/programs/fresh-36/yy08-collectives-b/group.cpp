#include "comm.h"

#include <vector>

static thread_local int chorusGroupDepth = 0;
static thread_local std::vector<chorusInfo> chorusGroupTasks;

static chorusResult_t groupLaunch(std::vector<chorusInfo>& tasks) {
  for (auto& task : tasks) CHORUSCHECK(chorusLaunchPrepare(&task));
  for (auto& task : tasks) CHORUSCHECK(chorusLaunchKernel(&task));
  return chorusSuccess;
}

chorusResult_t chorusGroupStart() {
  ++chorusGroupDepth;
  return chorusSuccess;
}

chorusResult_t chorusGroupEnd() {
  if (chorusGroupDepth == 0) return chorusInvalidUsage;
  if (--chorusGroupDepth > 0) return chorusSuccess;
  std::vector<chorusInfo> tasks;
  tasks.swap(chorusGroupTasks);
  return groupLaunch(tasks);
}

chorusResult_t chorusEnqueueCheck(struct chorusInfo* info) {
  if (info->comm == nullptr || info->datatype >= chorusNumTypes || info->op >= chorusNumOps) return chorusInvalidArgument;
  CHORUSCHECK(chorusGroupStart());
  if (info->count > 0) chorusGroupTasks.push_back(*info);
  return chorusGroupEnd();
}

#include "core.h"

#include <new>
#include <utility>
#include <vector>

namespace {

thread_local int groupDepth = 0;
thread_local std::vector<tcclTask> groupTasks;

size_t typeSize(tcclDataType_t type) {
  switch (type) {
    case tcclUint8: return 1;
    case tcclInt32: return 4;
    case tcclFloat32: return 4;
    case tcclFloat64: return 8;
  }
  return 0;
}

tcclResult_t checkTask(const tcclTask& task) {
  if (task.comm == nullptr || (task.buffer == nullptr && task.bytes != 0)) {
    return tcclInvalidArgument;
  }
  const tcclComm* comm = task.comm;
  if (task.peer < 0 || task.peer >= comm->fabric->nRanks || task.peer == comm->rank) {
    return tcclInvalidArgument;
  }
  return tcclSuccess;
}

tcclTask* findSend(std::vector<tcclTask>& tasks, const tcclTask& recv) {
  for (tcclTask& task : tasks) {
    if (task.isSend && !task.matched && task.comm->fabric == recv.comm->fabric &&
        task.comm->rank == recv.peer && task.peer == recv.comm->rank) {
      return &task;
    }
  }
  return nullptr;
}

tcclResult_t launchGroup(std::vector<tcclTask>& tasks) {
  std::vector<std::pair<tcclTask*, tcclTask*>> pairs;
  for (tcclTask& task : tasks) {
    if (task.isSend) continue;
    tcclTask* send = findSend(tasks, task);
    if (send == nullptr || send->bytes != task.bytes) return tcclInvalidUsage;
    send->matched = task.matched = 1;
    pairs.emplace_back(send, &task);
  }
  for (const tcclTask& task : tasks) {
    if (!task.matched) return tcclInvalidUsage;
  }
  for (auto& pair : pairs) TCCLCHECK(tcclTransportFork(pair.second));
  for (auto& pair : pairs) TCCLCHECK(tcclTransportCopy(pair.first, pair.second));
  for (auto& pair : pairs) TCCLCHECK(tcclTransportJoin(pair.second));
  return tcclSuccess;
}

tcclResult_t enqueue(const tcclTask& task) {
  TCCLCHECK(checkTask(task));
  if (groupDepth == 0) return tcclInvalidUsage;
  groupTasks.push_back(task);
  return tcclSuccess;
}

}  // namespace

extern "C" {

const char* tcclGetErrorString(tcclResult_t result) {
  switch (result) {
    case tcclSuccess: return "no error";
    case tcclUnhandledCudaError: return "unhandled cuda error";
    case tcclSystemError: return "unhandled system error";
    case tcclInvalidArgument: return "invalid argument";
    case tcclInvalidUsage: return "invalid usage";
  }
  return "unknown result code";
}

cudaError_t tcclCommGetCudaError(tcclComm_t comm) { return comm->cudaError; }

tcclResult_t tcclCommInitAll(tcclComm_t* comms, int nRanks, const tcclConfig_t* config) {
  if (comms == nullptr || nRanks < 1) return tcclInvalidArgument;
  const tcclConfig_t defaults = TCCL_CONFIG_INITIALIZER;
  if (config == nullptr) config = &defaults;
  if (config->nSlots < 1 || config->nSlots > TCCL_MAX_SLOTS || config->chunkBytes == 0) {
    return tcclInvalidArgument;
  }
  tcclFabric* fabric = new (std::nothrow) tcclFabric();
  if (fabric == nullptr) return tcclSystemError;
  fabric->nRanks = nRanks;
  fabric->config = *config;
  fabric->channels = new (std::nothrow) tcclChannel[(size_t)nRanks * nRanks]();
  if (fabric->channels == nullptr) return tcclSystemError;
  for (int rank = 0; rank < nRanks; rank++) {
    tcclComm* comm = new (std::nothrow) tcclComm();
    if (comm == nullptr) return tcclSystemError;
    comm->fabric = fabric;
    comm->rank = rank;
    fabric->refs++;
    comms[rank] = comm;
    TCCLCHECK(tcclTransportInit(comm));
  }
  return tcclSuccess;
}

tcclResult_t tcclCommDestroy(tcclComm_t comm) {
  if (comm == nullptr) return tcclInvalidArgument;
  TCCLCHECK(tcclTransportFree(comm));
  if (--comm->fabric->refs == 0) {
    delete[] comm->fabric->channels;
    delete comm->fabric;
  }
  delete comm;
  return tcclSuccess;
}

tcclResult_t tcclCommCount(tcclComm_t comm, int* count) {
  if (comm == nullptr || count == nullptr) return tcclInvalidArgument;
  *count = comm->fabric->nRanks;
  return tcclSuccess;
}

tcclResult_t tcclCommUserRank(tcclComm_t comm, int* rank) {
  if (comm == nullptr || rank == nullptr) return tcclInvalidArgument;
  *rank = comm->rank;
  return tcclSuccess;
}

tcclResult_t tcclGroupStart(void) {
  groupDepth++;
  return tcclSuccess;
}

tcclResult_t tcclGroupEnd(void) {
  if (groupDepth == 0) return tcclInvalidUsage;
  if (--groupDepth > 0) return tcclSuccess;
  std::vector<tcclTask> tasks;
  tasks.swap(groupTasks);
  return launchGroup(tasks);
}

tcclResult_t tcclSend(const void* buffer, size_t count, tcclDataType_t type, int peer,
                      tcclComm_t comm, cudaStream_t stream) {
  char* bytes = const_cast<char*>(static_cast<const char*>(buffer));
  return enqueue(tcclTask{1, bytes, count * typeSize(type), peer, comm, stream, 0});
}

tcclResult_t tcclRecv(void* buffer, size_t count, tcclDataType_t type, int peer, tcclComm_t comm,
                      cudaStream_t stream) {
  return enqueue(
      tcclTask{0, static_cast<char*>(buffer), count * typeSize(type), peer, comm, stream, 0});
}

}  // extern "C"

#include "core.h"

#include <string.h>

tcclResult_t tcclTransportInit(struct tcclComm* comm) {
  struct tcclFabric* fabric = comm->fabric;
  CUDACHECK(comm, cudaStreamCreateWithFlags(&comm->proxy, cudaStreamNonBlocking));
  CUDACHECK(comm, cudaEventCreateWithFlags(&comm->fork, cudaEventDisableTiming));
  CUDACHECK(comm, cudaEventCreateWithFlags(&comm->join, cudaEventDisableTiming));
  for (int source = 0; source < fabric->nRanks; source++) {
    if (source == comm->rank) continue;
    struct tcclChannel* channel = tcclChannelOf(fabric, source, comm->rank);
    channel->step = 0;
    channel->nSlots = fabric->config.nSlots;
    for (int s = 0; s < channel->nSlots; s++) {
      struct tcclSlot* slot = channel->slots + s;
      void* host = NULL;
      CUDACHECK(comm, cudaHostAlloc(&host, fabric->config.chunkBytes, cudaHostAllocPortable));
      slot->host = (char*)host;
      CUDACHECK(comm, cudaEventCreateWithFlags(&slot->filled, cudaEventDisableTiming));
      CUDACHECK(comm, cudaEventCreateWithFlags(&slot->drained, cudaEventDisableTiming));
    }
  }
  return tcclSuccess;
}

tcclResult_t tcclTransportFree(struct tcclComm* comm) {
  struct tcclFabric* fabric = comm->fabric;
  CUDACHECK(comm, cudaStreamSynchronize(comm->proxy));
  for (int source = 0; source < fabric->nRanks; source++) {
    if (source == comm->rank) continue;
    struct tcclChannel* channel = tcclChannelOf(fabric, source, comm->rank);
    for (int s = 0; s < channel->nSlots; s++) {
      struct tcclSlot* slot = channel->slots + s;
      CUDACHECK(comm, cudaEventDestroy(slot->filled));
      CUDACHECK(comm, cudaEventDestroy(slot->drained));
      CUDACHECK(comm, cudaFreeHost(slot->host));
    }
    memset(channel, 0, sizeof(*channel));
  }
  CUDACHECK(comm, cudaEventDestroy(comm->fork));
  CUDACHECK(comm, cudaEventDestroy(comm->join));
  CUDACHECK(comm, cudaStreamDestroy(comm->proxy));
  return tcclSuccess;
}

tcclResult_t tcclTransportFork(struct tcclTask* recv) {
  struct tcclComm* comm = recv->comm;
  CUDACHECK(comm, cudaEventRecord(comm->fork, recv->stream));
  CUDACHECK(comm, cudaStreamWaitEvent(comm->proxy, comm->fork, 0));
  return tcclSuccess;
}

tcclResult_t tcclTransportCopy(struct tcclTask* send, struct tcclTask* recv) {
  struct tcclComm* source = send->comm;
  struct tcclComm* target = recv->comm;
  struct tcclChannel* channel = tcclChannelOf(source->fabric, source->rank, target->rank);
  const size_t chunk = source->fabric->config.chunkBytes;

  for (size_t offset = 0; offset < send->bytes; offset += chunk) {
    const size_t bytes = send->bytes - offset < chunk ? send->bytes - offset : chunk;
    struct tcclSlot* slot = channel->slots + channel->step % channel->nSlots;

    if (channel->step >= (uint64_t)channel->nSlots) {
      CUDACHECK(source, cudaStreamWaitEvent(send->stream, slot->drained, 0));
    }
    CUDACHECK(source, cudaMemcpyAsync(slot->host, send->buffer + offset, bytes,
                                      cudaMemcpyDeviceToHost, send->stream));
    CUDACHECK(source, cudaEventRecord(slot->filled, send->stream));

    CUDACHECK(target, cudaStreamWaitEvent(target->proxy, slot->filled, 0));
    CUDACHECK(target, cudaMemcpyAsync(recv->buffer + offset, slot->host, bytes,
                                      cudaMemcpyHostToDevice, target->proxy));
    CUDACHECK(target, cudaEventRecord(slot->drained, recv->stream));
    channel->step++;
  }
  return tcclSuccess;
}

tcclResult_t tcclTransportJoin(struct tcclTask* recv) {
  struct tcclComm* comm = recv->comm;
  CUDACHECK(comm, cudaEventRecord(comm->join, comm->proxy));
  CUDACHECK(comm, cudaStreamWaitEvent(recv->stream, comm->join, 0));
  return tcclSuccess;
}

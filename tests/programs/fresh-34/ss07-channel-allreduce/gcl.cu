#include "gcl.h"

#include <stdlib.h>
#include <string.h>

#define GCL_MAX_CHANNELS 8
#define GCL_MAX_RANKS 8
#define GCL_BLOCK 512

struct gclChannel {
  float* scratch;
  cudaStream_t stream;
  cudaEvent_t done;
};

struct gclComm {
  int ranks;
  int nchannels;
  size_t max_count;
  float* scratch;
  cudaEvent_t ready;
  struct gclChannel channel[GCL_MAX_CHANNELS];
  cudaError_t last;
};

#define CUDACHECK(comm, call)            \
  do {                                   \
    cudaError_t e_ = (call);             \
    if (e_ != cudaSuccess) {             \
      (comm)->last = e_;                 \
      return gclCudaError;               \
    }                                    \
  } while (0)

struct rankPointers {
  const float* in[GCL_MAX_RANKS];
  float* out[GCL_MAX_RANKS];
};

template <int OP>
__device__ inline float combine(float a, float b) {
  return OP == gclSum ? a + b : OP == gclMax ? fmaxf(a, b) : fminf(a, b);
}

template <int OP>
__global__ void reduceSlice(rankPointers p, int ranks, size_t begin, size_t end, float* scratch) {
  for (size_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
    float v = p.in[0][i];
    for (int r = 1; r < ranks; ++r) v = combine<OP>(v, p.in[r][i]);
    scratch[i - begin] = v;
  }
}

__global__ void spreadSlice(rankPointers p, int ranks, size_t begin, size_t end, const float* src) {
  for (int r = 0; r < ranks; ++r)
    for (size_t i = begin + threadIdx.x; i < end; i += blockDim.x) p.out[r][i] = src[i - begin];
}

static cudaError_t launchReduce(gclRedOp_t op, const rankPointers& p, int ranks, size_t b, size_t e, float* scratch,
                                cudaStream_t s) {
  switch (op) {
    case gclSum: reduceSlice<gclSum><<<1, GCL_BLOCK, 0, s>>>(p, ranks, b, e, scratch); break;
    case gclMax: reduceSlice<gclMax><<<1, GCL_BLOCK, 0, s>>>(p, ranks, b, e, scratch); break;
    default: reduceSlice<gclMin><<<1, GCL_BLOCK, 0, s>>>(p, ranks, b, e, scratch); break;
  }
  return cudaGetLastError();
}

static void sliceOf(size_t count, int c, int n, size_t* begin, size_t* end) {
  size_t per = (count + n - 1) / n;
  *begin = per * c < count ? per * c : count;
  *end = *begin + per < count ? *begin + per : count;
}

static gclResult_t forkChannels(gclComm_t comm, cudaStream_t stream) {
  CUDACHECK(comm, cudaEventRecord(comm->ready, stream));
  for (int c = 0; c < comm->nchannels; ++c) CUDACHECK(comm, cudaStreamWaitEvent(comm->channel[c].stream, comm->ready, 0));
  return gclSuccess;
}

static gclResult_t joinChannels(gclComm_t comm, cudaStream_t stream) {
  for (int c = 0; c < comm->nchannels; ++c) CUDACHECK(comm, cudaStreamWaitEvent(stream, comm->channel[c].done, 0));
  return gclSuccess;
}

extern "C" gclResult_t gclCommCreate(gclComm_t* out, const gclConfig_t* cfg) {
  if (!out || !cfg || cfg->ranks < 1 || cfg->ranks > GCL_MAX_RANKS || cfg->channels < 1 || cfg->channels > GCL_MAX_CHANNELS)
    return gclInvalidArgument;
  gclComm_t comm = (gclComm_t)calloc(1, sizeof(struct gclComm));
  if (!comm) return gclOutOfMemory;
  *out = comm;
  comm->ranks = cfg->ranks;
  comm->nchannels = cfg->channels;
  comm->max_count = cfg->max_count;
  size_t stride = (cfg->max_count + cfg->channels - 1) / cfg->channels;
  CUDACHECK(comm, cudaMalloc((void**)&comm->scratch, stride * cfg->channels * sizeof(float)));
  CUDACHECK(comm, cudaEventCreateWithFlags(&comm->ready, cudaEventDisableTiming));
  for (int c = 0; c < comm->nchannels; ++c) {
    comm->channel[c].scratch = comm->scratch + stride * c;
    CUDACHECK(comm, cudaStreamCreateWithFlags(&comm->channel[c].stream, cudaStreamNonBlocking));
    CUDACHECK(comm, cudaEventCreateWithFlags(&comm->channel[c].done, cudaEventDisableTiming));
  }
  return gclSuccess;
}

extern "C" gclResult_t gclCommDestroy(gclComm_t comm) {
  if (!comm) return gclInvalidArgument;
  for (int c = 0; c < comm->nchannels; ++c) {
    cudaStreamSynchronize(comm->channel[c].stream);
    cudaStreamDestroy(comm->channel[c].stream);
    cudaEventDestroy(comm->channel[c].done);
  }
  cudaEventDestroy(comm->ready);
  cudaFree(comm->scratch);
  free(comm);
  return gclSuccess;
}

extern "C" cudaError_t gclLastCudaError(gclComm_t comm) { return comm ? comm->last : cudaErrorInvalidValue; }

extern "C" const char* gclGetErrorString(gclResult_t r) {
  static const char* const names[] = {"success", "cuda error", "invalid argument", "out of memory"};
  return names[r];
}

extern "C" gclResult_t gclAllReduce(const float* const* send, float* const* recv, size_t count, gclRedOp_t op,
                                    gclComm_t comm, cudaStream_t stream) {
  if (!comm || count > comm->max_count) return gclInvalidArgument;
  rankPointers p;
  memset(&p, 0, sizeof p);
  for (int r = 0; r < comm->ranks; ++r) {
    p.in[r] = send[r];
    p.out[r] = recv[r];
  }
  gclResult_t res = forkChannels(comm, stream);
  if (res != gclSuccess) return res;
  for (int c = 0; c < comm->nchannels; ++c) {
    struct gclChannel* ch = &comm->channel[c];
    size_t b, e;
    sliceOf(count, c, comm->nchannels, &b, &e);
    CUDACHECK(comm, launchReduce(op, p, comm->ranks, b, e, ch->scratch, ch->stream));
    CUDACHECK(comm, cudaEventRecord(ch->done, ch->stream));
    spreadSlice<<<1, GCL_BLOCK, 0, ch->stream>>>(p, comm->ranks, b, e, ch->scratch);
    CUDACHECK(comm, cudaGetLastError());
  }
  return joinChannels(comm, stream);
}

extern "C" gclResult_t gclBroadcast(const float* send, float* const* recv, size_t count, gclComm_t comm,
                                    cudaStream_t stream) {
  if (!comm || count > comm->max_count) return gclInvalidArgument;
  rankPointers p;
  memset(&p, 0, sizeof p);
  for (int r = 0; r < comm->ranks; ++r) p.out[r] = recv[r];
  gclResult_t res = forkChannels(comm, stream);
  if (res != gclSuccess) return res;
  for (int c = 0; c < comm->nchannels; ++c) {
    struct gclChannel* ch = &comm->channel[c];
    size_t b, e;
    sliceOf(count, c, comm->nchannels, &b, &e);
    spreadSlice<<<1, GCL_BLOCK, 0, ch->stream>>>(p, comm->ranks, b, e, send + b);
    CUDACHECK(comm, cudaGetLastError());
    CUDACHECK(comm, cudaEventRecord(ch->done, ch->stream));
  }
  return joinChannels(comm, stream);
}

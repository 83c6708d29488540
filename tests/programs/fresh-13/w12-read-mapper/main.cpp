// Maps batches of short reads against a hashed reference. Both strands are
// seeded side by side; the whole batch is one graph.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mapper.h"

static void cu(CUresult r) {
  if (r == CUDA_SUCCESS) return;
  const char* name = "unknown";
  cuGetErrorName(r, &name);
  std::printf("ERROR %s\n", name);
  std::fflush(stdout);
  std::_Exit(1);
}

struct Mapper {
  CUstream batch = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr reads = 0, fwd = 0, rev = 0, hits = 0, index = 0;
  uint8_t* reads_host = nullptr;
  Hit* hits_host = nullptr;
};

static const SeedParams kForward{5, 1, 0};

static CUgraphExec record(const Mapper& m) {
  CUstream strand;
  CUevent fork, join;
  CUgraph graph;
  CUgraphExec exec;
  cu(cuStreamCreate(&strand, CU_STREAM_NON_BLOCKING));
  cu(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
  cu(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));

  cu(cuStreamBeginCapture(m.batch, CU_STREAM_CAPTURE_MODE_RELAXED));
  cu(cuMemcpyHtoDAsync(m.reads, m.reads_host, READS * READ_LEN, m.batch));
  cu(cuEventRecord(fork, m.batch));
  cu(cuStreamWaitEvent(strand, fork, 0));
  {
    SeedParams reverse = kForward;
    reverse.reverse = 1;
    enqueue_seed(strand, m.reads, m.rev, reverse);
    cu(cuEventRecord(join, strand));
  }
  enqueue_seed(m.batch, m.reads, m.fwd, kForward);
  cu(cuStreamWaitEvent(m.batch, join, 0));
  enqueue_lookup(m.batch, m.index, m.fwd, m.rev, m.hits);
  cu(cuMemcpyDtoHAsync(m.hits_host, m.hits, READS * sizeof(Hit), m.batch));
  cu(cuStreamEndCapture(m.batch, &graph));

  cu(cuGraphInstantiate(&exec, graph, 0));
  cu(cuGraphDestroy(graph));
  cu(cuEventDestroy(fork));
  cu(cuEventDestroy(join));
  cu(cuStreamDestroy(strand));
  return exec;
}

int main() {
  if (cudaError_t e = cudaFree(nullptr); e != cudaSuccess) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    return 1;
  }
  Mapper m;
  cu(cuStreamCreate(&m.batch, CU_STREAM_NON_BLOCKING));
  cu(cuMemAlloc(&m.reads, READS * READ_LEN));
  cu(cuMemAlloc(&m.fwd, READS * sizeof(uint32_t)));
  cu(cuMemAlloc(&m.rev, READS * sizeof(uint32_t)));
  cu(cuMemAlloc(&m.hits, READS * sizeof(Hit)));
  cu(cuMemAlloc(&m.index, BUCKETS * sizeof(uint32_t)));
  cu(cuMemAllocHost(reinterpret_cast<void**>(&m.reads_host), READS * READ_LEN));
  cu(cuMemAllocHost(reinterpret_cast<void**>(&m.hits_host), READS * sizeof(Hit)));

  std::vector<uint32_t> index(BUCKETS);
  for (uint32_t b = 0; b < BUCKETS; ++b) index[b] = b * 2654435761u;
  cu(cuMemcpyHtoDAsync(m.index, index.data(), BUCKETS * sizeof(uint32_t), m.batch));
  cu(cuStreamSynchronize(m.batch));

  m.exec = record(m);

  SeedParams reverse = kForward;
  reverse.reverse = 1;
  int wrong = 0;
  for (int batch = 0; batch < 16; ++batch) {
    for (int i = 0; i < READS * READ_LEN; ++i)
      m.reads_host[i] = static_cast<uint8_t>((i * 2654435761u + batch * 40503u) >> 13 & 3u);
    cu(cuGraphLaunch(m.exec, m.batch));
    cu(cuStreamSynchronize(m.batch));
    for (int r = 0; r < READS; ++r) {
      const uint8_t* read = m.reads_host + r * READ_LEN;
      wrong += m.hits_host[r].fwd != index[base_code(kForward, read) % BUCKETS];
      wrong += m.hits_host[r].rev != index[base_code(reverse, read) % BUCKETS];
    }
  }

  cu(cuGraphExecDestroy(m.exec));
  cu(cuStreamDestroy(m.batch));
  for (CUdeviceptr p : {m.reads, m.fwd, m.rev, m.hits, m.index}) cu(cuMemFree(p));
  cu(cuMemFreeHost(m.reads_host));
  cu(cuMemFreeHost(m.hits_host));
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}

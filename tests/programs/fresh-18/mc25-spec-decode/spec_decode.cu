// Speculative decoding loop: a draft graph proposes tokens, a target graph verifies them.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define GPU_TRY(expr)                                                              \
  if (cudaError_t err__ = (expr); err__ != cudaSuccess) {                          \
    std::fprintf(stderr, "GPU error '%s' (%s:%d)\n", cudaGetErrorString(err__),    \
                 __FILE__, __LINE__);                                              \
    std::exit(2);                                                                  \
  }

struct SamplerParams {
  float temperature;
  float top_p;
  unsigned seed;
  int draft_len;
};

__device__ unsigned mix(unsigned a, unsigned b) {
  unsigned h = a * 0x9E3779B1u ^ (b + 0x85EBCA6Bu + (a << 6));
  h ^= h >> 16;
  return h * 0xC2B2AE35u;
}

__global__ void draft_step(const int* ctx, int* draft, int j, const SamplerParams* p) {
  if (threadIdx.x == 0 && j < p->draft_len) {
    int prev = j == 0 ? *ctx : draft[j - 1];
    draft[j] = int(mix(prev, p->seed) % 1000u);
  }
}

__global__ void target_verify(int* ctx, const int* draft, int* accepted, int* emitted,
                              const SamplerParams* p) {
  if (threadIdx.x) return;
  int n = 0, prev = *ctx;
  while (n < p->draft_len) {
    unsigned h = mix(prev, p->seed);
    bool ok = (mix(h, n) & 0xff) < (unsigned)(255.f * p->top_p / (0.5f + p->temperature));
    emitted[n] = ok ? draft[n] : int(h % 997u);
    prev = emitted[n];
    ++n;
    if (!ok) break;
  }
  *accepted = n;
  *ctx = prev;
}

struct Session {
  cudaStream_t stream;
  cudaGraphExec_t draft, verify;
  int *d_ctx, *d_draft, *d_acc, *d_emit;
  SamplerParams* d_params;
  SamplerParams* h_params;
  int *h_acc, *h_emit;
  int max_draft;
};

template <class Body>
static cudaGraphExec_t record(cudaStream_t s, Body&& body) {
  cudaGraph_t g;
  cudaGraphExec_t x;
  GPU_TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  body();
  GPU_TRY(cudaStreamEndCapture(s, &g));
  GPU_TRY(cudaGraphInstantiateWithFlags(&x, g, 0));
  GPU_TRY(cudaGraphDestroy(g));
  return x;
}

static SamplerParams make_params(float temp, int len) {
  return SamplerParams{temp, 0.9f, 1234u, len};
}

static void upload_params(Session& s, float temp, int len) {
  SamplerParams p = make_params(temp, len);
  GPU_TRY(cudaMemcpyAsync(s.d_params, &p, sizeof p, cudaMemcpyHostToDevice, s.stream));
}

static void build(Session& s, float temp) {
  s.draft = record(s.stream, [&] {
    upload_params(s, temp, s.max_draft);
    for (int j = 0; j < s.max_draft; ++j) draft_step<<<1, 32, 0, s.stream>>>(s.d_ctx, s.d_draft, j, s.d_params);
  });
  s.verify = record(s.stream, [&] {
    target_verify<<<1, 32, 0, s.stream>>>(s.d_ctx, s.d_draft, s.d_acc, s.d_emit, s.d_params);
    GPU_TRY(cudaMemcpyAsync(s.h_acc, s.d_acc, sizeof(int), cudaMemcpyDeviceToHost, s.stream));
    GPU_TRY(cudaMemcpyAsync(s.h_emit, s.d_emit, s.max_draft * sizeof(int), cudaMemcpyDeviceToHost, s.stream));
  });
}

static void open_session(Session& s, int max_draft) {
  std::memset(&s, 0, sizeof s);
  s.max_draft = max_draft;
  GPU_TRY(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking));
  GPU_TRY(cudaMalloc(&s.d_ctx, sizeof(int)));
  GPU_TRY(cudaMalloc(&s.d_draft, max_draft * sizeof(int)));
  GPU_TRY(cudaMalloc(&s.d_acc, sizeof(int)));
  GPU_TRY(cudaMalloc(&s.d_emit, max_draft * sizeof(int)));
  GPU_TRY(cudaMalloc(&s.d_params, sizeof(SamplerParams)));
  GPU_TRY(cudaMallocHost(&s.h_params, sizeof(SamplerParams)));
  GPU_TRY(cudaMallocHost(&s.h_acc, sizeof(int)));
  GPU_TRY(cudaMallocHost(&s.h_emit, max_draft * sizeof(int)));
}

static void close_session(Session& s) {
  GPU_TRY(cudaStreamSynchronize(s.stream));
  cudaGraphExecDestroy(s.draft);
  cudaGraphExecDestroy(s.verify);
  for (void* p : {(void*)s.d_ctx, (void*)s.d_draft, (void*)s.d_acc, (void*)s.d_emit, (void*)s.d_params}) cudaFree(p);
  cudaFreeHost(s.h_params);
  cudaFreeHost(s.h_acc);
  cudaFreeHost(s.h_emit);
  cudaStreamDestroy(s.stream);
}

int main(int argc, char** argv) {
  float temp = 0.7f;
  int want = 256, len = 6;
  for (int i = 1; i < argc; ++i) {
    if (!std::strncmp(argv[i], "-t=", 3)) temp = std::atof(argv[i] + 3);
    if (!std::strncmp(argv[i], "-n=", 3)) want = std::atoi(argv[i] + 3);
    if (!std::strncmp(argv[i], "-k=", 3)) len = std::atoi(argv[i] + 3);
  }
  Session s;
  open_session(s, len);
  GPU_TRY(cudaMemsetAsync(s.d_ctx, 0, sizeof(int), s.stream));
  GPU_TRY(cudaStreamSynchronize(s.stream));
  build(s, temp);
  std::vector<int> out;
  int rounds = 0;
  while ((int)out.size() < want && rounds < 4 * want) {
    GPU_TRY(cudaGraphLaunch(s.draft, s.stream));
    GPU_TRY(cudaGraphLaunch(s.verify, s.stream));
    GPU_TRY(cudaStreamSynchronize(s.stream));
    out.insert(out.end(), s.h_emit, s.h_emit + *s.h_acc);
    ++rounds;
  }
  std::printf("%zu tokens in %d rounds (%.2f per round), last %d\n", out.size(), rounds,
              double(out.size()) / rounds, out.empty() ? -1 : out.back());
  close_session(s);
  return 0;
}

#include "ring.cuh"
#include <vector>

static Slab slab[NRANK];
static cudaStream_t stream[NRANK];
static cudaEvent_t finished[NRANK];
static cudaEvent_t go;

static unsigned initial(int rank, int i) { return 1u + (unsigned)(rank * 131 + i * 17) % 1009u; }

static void slab_create(Slab *s, int rank, int n) {
  size_t bytes = (n + 2) * sizeof(unsigned);
  std::vector<unsigned> h(n + 2);
  for (int i = 1; i <= n; ++i) h[i] = initial(rank, i);
  h[0] = initial((rank + NRANK - 1) % NRANK, n);
  h[n + 1] = initial((rank + 1) % NRANK, 1);
  for (int k = 0; k < 2; ++k) {
    TRY(cudaMalloc(&s->buf[k], bytes));
    TRY(cudaMemcpy(s->buf[k], h.data(), bytes, cudaMemcpyHostToDevice));
  }
  unsigned *sync;
  TRY(cudaMalloc(&sync, 3 * 64 * sizeof(unsigned)));
  TRY(cudaMemset(sync, 0, 3 * 64 * sizeof(unsigned)));
  s->barrier = sync;
  s->flag_left = sync + 64;
  s->flag_right = sync + 128;
  s->n = n;
}

static void slab_destroy(Slab *s) {
  TRY(cudaFree(s->buf[0]));
  TRY(cudaFree(s->buf[1]));
  TRY(cudaFree(s->barrier));
}

static std::vector<unsigned> reference(int n, int steps) {
  int tot = n * NRANK;
  std::vector<unsigned> a(tot), b(tot);
  for (int r = 0; r < NRANK; ++r)
    for (int i = 1; i <= n; ++i) a[r * n + i - 1] = initial(r, i);
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < tot; ++i)
      b[i] = a[(i + tot - 1) % tot] + 2u * a[i] + 3u * a[(i + 1) % tot];
    a.swap(b);
  }
  return a;
}

static RingArgs ring_args(int r, int steps) {
  RingArgs a;
  a.me = slab[r];
  a.left = slab[(r + NRANK - 1) % NRANK];
  a.right = slab[(r + 1) % NRANK];
  a.nsteps = steps;
  return a;
}

int main() {
  RingOptions opt;
  TRY(cudaSetDevice(0));
  for (int r = 0; r < NRANK; ++r) {
    slab_create(&slab[r], r, opt.cells);
    TRY(cudaStreamCreateWithFlags(&stream[r], cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&finished[r], cudaEventDisableTiming));
  }
  TRY(cudaEventCreateWithFlags(&go, cudaEventDisableTiming));

  int blocks = ring_blocks(opt);
  for (int r = 0; r < NRANK; ++r) ring_rank<<<blocks, BLOCK, 0, stream[r]>>>(ring_args(r, 0));
  TRY(cudaGetLastError());
  TRY(cudaDeviceSynchronize());

  for (int r = 0; r < NRANK; ++r) {
    ring_rank<<<blocks, BLOCK, 0, stream[r]>>>(ring_args(r, opt.steps));
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(finished[r], stream[r]));
  }
  for (int r = 1; r < NRANK; ++r) TRY(cudaStreamWaitEvent(stream[0], finished[r], 0));
  TRY(cudaEventRecord(go, stream[0]));
  TRY(cudaEventSynchronize(go));

  std::vector<unsigned> want = reference(opt.cells, opt.steps);
  std::vector<unsigned> got(opt.cells);
  int bad = 0;
  for (int r = 0; r < NRANK; ++r) {
    TRY(cudaMemcpy(got.data(), slab[r].buf[opt.steps & 1] + 1, opt.cells * sizeof(unsigned),
                   cudaMemcpyDeviceToHost));
    for (int i = 0; i < opt.cells; ++i)
      if (got[i] != want[r * opt.cells + i]) ++bad;
  }
  for (int r = 0; r < NRANK; ++r) {
    slab_destroy(&slab[r]);
    TRY(cudaStreamDestroy(stream[r]));
    TRY(cudaEventDestroy(finished[r]));
  }
  TRY(cudaEventDestroy(go));
  printf("%d ranks, %d blocks each\n", NRANK, blocks);
  if (bad)
    printf("WRONG %d\n", bad);
  else
    printf("DONE\n");
  return 0;
}

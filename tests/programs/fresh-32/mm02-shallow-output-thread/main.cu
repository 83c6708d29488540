#include "model.h"
#include <utility>
#include <vector>

cudaEvent_t ev_ready[MAX_SNAP];
cudaEvent_t ev_saved[MAX_SNAP];

static float *h_cur, *h_nxt;
static cudaStream_t s_dyn;

static void init_fields() {
  std::vector<float> h(NCELL);
  for (int i = 0; i < NCELL; ++i) h[i] = (float)(i % 7);
  CUDA_OK(cudaMalloc(&h_cur, NCELL * sizeof(float)));
  CUDA_OK(cudaMalloc(&h_nxt, NCELL * sizeof(float)));
  CUDA_OK(cudaMemcpy(h_cur, h.data(), NCELL * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(h_nxt, h.data(), NCELL * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_OK(cudaDeviceSynchronize());
}

int main() {
  RunOptions opt;
  CUDA_OK(cudaSetDevice(0));
  CUDA_OK(cudaStreamCreateWithFlags(&s_dyn, cudaStreamNonBlocking));
  for (int i = 0; i < MAX_SNAP; ++i) {
    CUDA_OK(cudaEventCreateWithFlags(&ev_ready[i], cudaEventDisableTiming));
    CUDA_OK(cudaEventCreateWithFlags(&ev_saved[i], cudaEventDisableTiming));
  }
  init_fields();

  Writer w;
  w.open(opt);

  int nsnap = 0;
  const float *pinned_field = nullptr;
  int pinned_slot = -1;

  for (int step = 1; step <= opt.nsteps; ++step) {
    if (h_nxt == pinned_field) {
      CUDA_OK(cudaStreamWaitEvent(s_dyn, ev_saved[pinned_slot], 0));
      pinned_field = nullptr;
    }
    launch_step(h_cur, h_nxt, opt.step_us, s_dyn);
    std::swap(h_cur, h_nxt);

    if (step % opt.out_every == 0 && nsnap < MAX_SNAP) {
      CUDA_OK(cudaEventRecord(ev_ready[nsnap], s_dyn));
      w.submit({h_cur, step, nsnap});
      pinned_field = h_cur;
      pinned_slot = nsnap++;
    }
  }
  CUDA_OK(cudaStreamSynchronize(s_dyn));
  w.close();

  std::vector<float> last(NCELL);
  CUDA_OK(cudaMemcpy(last.data(), h_cur, NCELL * sizeof(float), cudaMemcpyDeviceToHost));
  long bad = w.bad_cells;
  for (int i = 0; i < NCELL; ++i)
    if (last[i] != (float)(i % 7) + (float)opt.nsteps) ++bad;

  for (int i = 0; i < MAX_SNAP; ++i) {
    CUDA_OK(cudaEventDestroy(ev_ready[i]));
    CUDA_OK(cudaEventDestroy(ev_saved[i]));
  }
  CUDA_OK(cudaFree(h_cur));
  CUDA_OK(cudaFree(h_nxt));
  CUDA_OK(cudaStreamDestroy(s_dyn));
  std::printf("snapshots %d header %08x\n", nsnap, w.checksum);
  if (bad)
    std::printf("WRONG %ld\n", bad);
  else
    std::printf("DONE\n");
  return 0;
}

#include "ensemble.h"
#include <chrono>

static member_t ens[MEMBERS];
static physics_fn suite[] = {physics_radiation, physics_convection};
enum { NPHYS = sizeof(suite) / sizeof(suite[0]) };

static double now_ms(void) {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

static void member_init(member_t *m, int id) {
  GPU(cudaMalloc((void **)&m->d_temp, NCELL * sizeof(real)));
  GPU(cudaMalloc((void **)&m->d_flux, NCELL * sizeof(real)));
  m->h_in = (real *)host_buffer(NCELL * sizeof(real));
  m->h_out = (real *)host_buffer(NCELL * sizeof(real));
  for (int i = 0; i < NCELL; ++i) m->h_in[i] = (real)(200 + id * 8 + i % 16);
  GPU(cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking));
  GPU(cudaEventCreateWithFlags(&m->done, cudaEventDisableTiming));
}

static void member_forecast(member_t *m, int us) {
  size_t bytes = NCELL * sizeof(real);
  GPU(cudaMemcpyAsync(m->d_temp, m->h_in, bytes, cudaMemcpyHostToDevice, m->stream));
  for (int k = 0; k < NPHYS; ++k) suite[k](m, us);
  GPU(cudaMemcpyAsync(m->h_out, m->d_temp, bytes, cudaMemcpyDeviceToHost, m->stream));
  GPU(cudaEventRecord(m->done, m->stream));
}

static void member_wait(member_t *m) { GPU(cudaEventSynchronize(m->done)); }

static long member_check(const member_t *m) {
  long bad = 0;
  for (int i = 0; i < NCELL; ++i)
    if (m->h_out[i] != (real)1.5 * m->h_in[i]) ++bad;
  return bad;
}

int main(void) {
  const int physics_us = 40000;
  GPU(cudaSetDevice(0));
  for (int i = 0; i < MEMBERS; ++i) member_init(&ens[i], i);

  for (int i = 0; i < MEMBERS; ++i) {
    member_forecast(&ens[i], 10);
    member_wait(&ens[i]);
  }

  double t0 = now_ms();
  member_forecast(&ens[0], physics_us);
  member_wait(&ens[0]);
  double one = now_ms() - t0;

  t0 = now_ms();
  for (int i = 0; i < MEMBERS; ++i) member_forecast(&ens[i], physics_us);
  for (int i = 0; i < MEMBERS; ++i) member_wait(&ens[i]);
  double all = now_ms() - t0;

  long bad = 0;
  for (int i = 0; i < MEMBERS; ++i) bad += member_check(&ens[i]);
  for (int i = 0; i < MEMBERS; ++i) {
    GPU(cudaFree(ens[i].d_temp));
    GPU(cudaFree(ens[i].d_flux));
    host_release(ens[i].h_in);
    host_release(ens[i].h_out);
    GPU(cudaStreamDestroy(ens[i].stream));
    GPU(cudaEventDestroy(ens[i].done));
  }
  printf("one member %.1f ms, ensemble of %d %.1f ms\n", one, MEMBERS, all);
  if (bad)
    printf("WRONG %ld\n", bad);
  else if (all > 1.5 * one)
    printf("SLOW %.2f\n", all / one);
  else
    printf("DONE\n");
  return 0;
}

#include "pic.h"
#include <vector>

static cudaStream_t st[NSTREAM];
static cudaEvent_t ev_pushed;
static cudaEvent_t ev_deposited[2];
static cudaEvent_t ev_slot[NSLOT];

static int *d_pos[2];
static unsigned *d_rho;
static Knobs *d_knobs;
static Knobs *h_knobs;
static unsigned *h_rho[NSLOT];
static int slot_step[NSLOT];

static std::vector<int> ref_pos(NPART);
static int ref_step = 0;
static long bad = 0;

static int kick_of(int step) { return 1 + (step * 7) % 13; }

static void setup() {
  CHK(cudaSetDevice(0));
  for (int i = 0; i < NSTREAM; ++i) CHK(cudaStreamCreateWithFlags(&st[i], cudaStreamNonBlocking));
  CHK(cudaEventCreateWithFlags(&ev_pushed, cudaEventDisableTiming));
  for (auto &e : ev_deposited) CHK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  for (auto &e : ev_slot) CHK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  for (int i = 0; i < NPART; ++i) ref_pos[i] = (i * 37) % NGRID;
  for (int k = 0; k < 2; ++k) CHK(cudaMalloc(&d_pos[k], NPART * sizeof(int)));
  CHK(cudaMalloc(&d_rho, NGRID * sizeof(unsigned)));
  CHK(cudaMalloc(&d_knobs, sizeof(Knobs)));
  CHK(cudaMallocHost(&h_knobs, NSLOT * sizeof(Knobs)));
  for (int k = 0; k < NSLOT; ++k) {
    CHK(cudaMallocHost(&h_rho[k], NGRID * sizeof(unsigned)));
    slot_step[k] = 0;
  }
  CHK(cudaMemcpy(d_pos[0], ref_pos.data(), NPART * sizeof(int), cudaMemcpyHostToDevice));
  CHK(cudaDeviceSynchronize());
}

// Takes the density of a finished step out of its slot and compares it.
static void harvest(int slot) {
  if (slot_step[slot] == 0) return;
  CHK(cudaEventSynchronize(ev_slot[slot]));
  ++ref_step;
  if (slot_step[slot] != ref_step) ++bad;
  std::vector<unsigned> want(NGRID, 0);
  for (int i = 0; i < NPART; ++i) {
    ref_pos[i] = (ref_pos[i] + kick_of(ref_step) + (i & 3)) % NGRID;
    ++want[ref_pos[i]];
  }
  for (int g = 0; g < NGRID; ++g)
    if (want[g] != h_rho[slot][g]) ++bad;
  slot_step[slot] = 0;
}

static void advance(int step, const Opts &o) {
  int slot = step % NSLOT;
  int cur = (step + 1) & 1, nxt = step & 1;
  harvest(slot);

  h_knobs[slot].step = step;
  h_knobs[slot].kick = kick_of(step);
  CHK(cudaMemcpyAsync(d_knobs, &h_knobs[slot], sizeof(Knobs), cudaMemcpyHostToDevice, st[S_PUSH]));
  CHK(cudaStreamWaitEvent(st[S_PUSH], ev_deposited[nxt], 0));
  launch_push(d_pos[cur], d_pos[nxt], d_knobs, o.push_us, st[S_PUSH]);
  CHK(cudaEventRecord(ev_pushed, st[S_PUSH]));

  CHK(cudaMemsetAsync(d_rho, 0, NGRID * sizeof(unsigned), st[S_FIELD]));
  CHK(cudaStreamWaitEvent(st[S_FIELD], ev_pushed, 0));
  launch_deposit(d_pos[nxt], d_rho, o.deposit_us, st[S_FIELD]);
  CHK(cudaEventRecord(ev_deposited[nxt], st[S_FIELD]));
  CHK(cudaMemcpyAsync(h_rho[slot], d_rho, NGRID * sizeof(unsigned), cudaMemcpyDeviceToHost,
                      st[S_FIELD]));
  CHK(cudaEventRecord(ev_slot[slot], st[S_FIELD]));
  slot_step[slot] = step;
}

static void teardown() {
  for (int k = 0; k < 2; ++k) {
    CHK(cudaFree(d_pos[k]));
    CHK(cudaEventDestroy(ev_deposited[k]));
  }
  for (int k = 0; k < NSLOT; ++k) {
    CHK(cudaFreeHost(h_rho[k]));
    CHK(cudaEventDestroy(ev_slot[k]));
  }
  CHK(cudaFree(d_rho));
  CHK(cudaFree(d_knobs));
  CHK(cudaFreeHost(h_knobs));
  CHK(cudaEventDestroy(ev_pushed));
  for (int i = 0; i < NSTREAM; ++i) CHK(cudaStreamDestroy(st[i]));
}

int main() {
  Opts opt;
  setup();
  for (int step = 1; step <= opt.nsteps; ++step) advance(step, opt);
  for (int k = 1; k <= NSLOT; ++k) harvest((opt.nsteps + k) % NSLOT);
  if (ref_step != opt.nsteps) ++bad;
  teardown();
  printf("%d steps\n", ref_step);
  if (bad)
    printf("WRONG %ld\n", bad);
  else
    printf("DONE\n");
  return 0;
}

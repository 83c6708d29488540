// Inference front end: requests are spread over two lanes, each with its own stream, weights-free
// toy model and pinned reply buffers. Replies are checked by the completion of each request.
#include <cstdio>
#include <vector>

#include "dispatcher.h"
#include "status.h"

namespace {

constexpr int kTokens = 4096;
constexpr int kRequests = 8;
constexpr int kRounds = 2;

__host__ __device__ inline int token_out(int request, int i) {
  unsigned v = request * 7919u + i;
  for (int k = 0; k < 5; ++k) v = (v * 1103515245u + 12345u) & 0x3fffffffu;
  return static_cast<int>(v);
}

__global__ void model_step(int request, int* out, int n, long long cycles) {
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = token_out(request, i);
}

struct lane {
  cudaStream_t stream = nullptr;
  int* d_out = nullptr;
};

struct request {
  int* reply = nullptr;
  bool completed = false;
  long wrong = 0;
};

long verify(int id, int const* reply) {
  long wrong = 0;
  for (int i = 0; i < kTokens; ++i) wrong += reply[i] != token_out(id, i);
  return wrong;
}

}  // namespace

int main() {
  lane lanes[2];
  for (auto& l : lanes) {
    EXIT_IF(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
    EXIT_IF(cudaMalloc(&l.d_out, kTokens * sizeof(int)));
  }
  std::vector<request> requests(kRequests * kRounds);
  for (auto& r : requests) EXIT_IF(cudaMallocHost(&r.reply, kTokens * sizeof(int)));

  long wrong = 0;
  {
    serving::dispatcher disp;
    for (int round = 0; round < kRounds; ++round) {
      for (int k = 0; k < kRequests; ++k) {
        int const id = round * kRequests + k;
        lane& l = lanes[k % 2];
        request* r = &requests[id];
        model_step<<<8, 128, 0, l.stream>>>(id, l.d_out, kTokens, 50'000'000LL);
        EXIT_IF(cudaGetLastError());
        EXIT_IF(cudaMemcpyAsync(r->reply, l.d_out, kTokens * sizeof(int), cudaMemcpyDeviceToHost, l.stream));
        EXIT_IF(disp.submit(l.stream, [r, id](serving::ticket_id) {
          r->wrong = verify(id, r->reply);
          r->completed = true;
        }));
      }
      std::size_t const early = disp.poll();
      EXIT_IF(disp.drain());
      std::printf("round %d: %zu early, %zu left\n", round, early, disp.in_flight());
    }
  }

  for (auto& r : requests) {
    wrong += r.completed ? r.wrong : kTokens;
    EXIT_IF(cudaFreeHost(r.reply));
  }
  for (auto& l : lanes) {
    EXIT_IF(cudaFree(l.d_out));
    EXIT_IF(cudaStreamDestroy(l.stream));
  }
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}

// Streaming dictation: acoustic scores are computed while the lexicon of the
// next topic is still being compiled; decoding starts when both are there.
#include <memory>
#include <vector>

#include "lexicon.h"

namespace {

constexpr int kWords = 4096;

__device__ unsigned long long now_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void acoustic(int* score, int utterance, int words) {
  const unsigned long long until = now_ns() + 20000000ull;
  while (now_ns() < until) {
  }
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w < words) score[w] = (w * 13 + utterance * 29) % 211;
}

__global__ void decode(const int* score, const int* penalty, int* total, int words) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w < words) total[w] = 3 * score[w] - penalty[w];
}

struct Ticket {
  LexiconLoader* lexicon;
  int topic;
};

void CUDART_CB gate(void* arg) {
  auto* t = static_cast<Ticket*>(arg);
  t->lexicon->wait_for(t->topic);
}

class Recogniser {
 public:
  explicit Recogniser(LexiconLoader& lex) : lex_(lex) {
    CU_OK(cudaStreamCreate(&stream_));
    CU_OK(cudaMalloc(&score_, kWords * sizeof(int)));
    CU_OK(cudaMalloc(&total_, kWords * sizeof(int)));
    CU_OK(cudaMallocHost(&result_, kWords * sizeof(int)));
  }
  ~Recogniser() {
    cudaStreamDestroy(stream_);
    cudaFree(score_);
    cudaFree(total_);
    cudaFreeHost(result_);
  }

  void start(int utterance, int topic) {
    tickets_.push_back(std::make_unique<Ticket>(Ticket{&lex_, topic}));
    acoustic<<<kWords / 256, 256, 0, stream_>>>(score_, utterance, kWords);
    CU_OK(cudaLaunchHostFunc(stream_, gate, tickets_.back().get()));
    decode<<<kWords / 256, 256, 0, stream_>>>(score_, lex_.device(topic), total_, kWords);
    CU_OK(cudaGetLastError());
    CU_OK(cudaMemcpyAsync(result_, total_, kWords * sizeof(int), cudaMemcpyDeviceToHost, stream_));
  }

  int finish(int utterance, int topic) {
    CU_OK(cudaStreamSynchronize(stream_));
    int bad = 0;
    for (int w = 0; w < kWords; ++w) {
      int want = 3 * ((w * 13 + utterance * 29) % 211) - LexiconLoader::penalty(topic, w);
      bad += result_[w] != want;
    }
    return bad;
  }

 private:
  LexiconLoader& lex_;
  cudaStream_t stream_ = nullptr;
  int* score_ = nullptr;
  int* total_ = nullptr;
  int* result_ = nullptr;
  std::vector<std::unique_ptr<Ticket>> tickets_;
};

}  // namespace

int main() {
  LexiconLoader lexicon(kWords);
  Recogniser rec(lexicon);

  lexicon.load_now(0);
  rec.start(0, 0);
  int bad = rec.finish(0, 0);

  for (int topic = 1; topic <= 3; ++topic) {
    lexicon.load_later(topic);
    rec.start(topic * 10, topic);
    bad += rec.finish(topic * 10, topic);
  }

  if (bad)
    std::printf("WRONG %d\n", bad);
  else
    std::printf("DONE\n");
  return bad != 0;
}

#include <memory>

#include "tower.cuh"

namespace {

struct users {
  static constexpr int bag = 20, stride = 37, weight = 2;
  static int seed(int i) { return i % 101 - 50; }
};

struct items {
  static constexpr int bag = 6, stride = 11, weight = 5;
  static int seed(int i) { return i % 89 + 3; }
};

__global__ void dot_scores(const int* a, const int* b, int* score, int n) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= n) return;
  int sum = 0;
  for (int d = 0; d < rec::kDim; ++d) sum += a[e * rec::kDim + d] % 1000 * (b[e * rec::kDim + d] % 1000);
  score[e] = sum;
}

class scorer {
 public:
  scorer() : stage_(64 << 10), users_(4000, kPairs), items_(9000, kPairs) {
    rec::ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    rec::ok(cudaMalloc(&scores_, sizeof(int) * kPairs));
    forward();
    rec::ok(cudaStreamSynchronize(stream_));
  }
  ~scorer() {
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFree(scores_);
    cudaStreamDestroy(stream_);
  }

  void freeze() {
    cudaGraph_t graph = nullptr;
    rec::ok(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    forward();
    rec::ok(cudaStreamEndCapture(stream_, &graph));
    rec::ok(cudaGraphInstantiate(&exec_, graph, 0));
    rec::ok(cudaGraphDestroy(graph));
  }

  std::vector<int> score() {
    rec::ok(cudaGraphLaunch(exec_, stream_));
    rec::ok(cudaStreamSynchronize(stream_));
    std::vector<int> out(kPairs);
    rec::ok(cudaMemcpy(out.data(), scores_, sizeof(int) * kPairs, cudaMemcpyDeviceToHost));
    return out;
  }

  int expected(int e) const {
    int sum = 0;
    for (int d = 0; d < rec::kDim; ++d) sum += users_.expected(e, d) % 1000 * (items_.expected(e, d) % 1000);
    return sum;
  }

  static constexpr int kPairs = 256;

 private:
  void forward() {
    users_.clear(stream_);
    items_.clear(stream_);
    users_.pool(stage_, stream_);
    items_.pool(stage_, stream_);
    dot_scores<<<(kPairs + 127) / 128, 128, 0, stream_>>>(users_.pooled(), items_.pooled(), scores_, kPairs);
    rec::ok(cudaGetLastError());
  }

  rec::host_stage stage_;
  rec::tower<users> users_;
  rec::tower<items> items_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  int* scores_ = nullptr;
};

}  // namespace

int main() {
  try {
    auto s = std::make_unique<scorer>();
    s->freeze();
    int wrong = 0;
    for (int round = 0; round < 3; ++round) {
      const std::vector<int> got = s->score();
      for (int e = 0; e < scorer::kPairs; ++e) wrong += got[e] != s->expected(e);
    }
    s.reset();
    if (wrong)
      std::printf("WRONG %d\n", wrong);
    else
      std::printf("DONE\n");
    return wrong ? 1 : 0;
  } catch (const rec::cuda_failure& f) {
    std::printf("ERROR %s\n", f.what());
    return 1;
  }
}

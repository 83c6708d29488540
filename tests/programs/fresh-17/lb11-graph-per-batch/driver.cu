#include "session.h"
#include <cstdio>

using namespace inferrt;

// A server in front of one session: a request that the model refuses must not hurt the ones after it.
int main() {
  std::unique_ptr<Session> session;
  SessionOptions opts;
  Status st = Session::Create(opts, &session);
  if (!st.IsOK()) { std::printf("ERROR %s\n", st.ErrorMessage().c_str()); return 1; }
  session->AddNode(std::make_unique<AffineOp>(2.0f, -5.0f));
  session->AddNode(std::make_unique<ReluOp>());
  session->AddNode(std::make_unique<PairSumOp>());

  const int batches[] = {4, 8, 4, 3, 6, 8, 5, 2, 4, 3, 12};
  std::string why;
  for (int b : batches) {
    std::vector<float> in(size_t(b) * opts.width), out;
    for (size_t i = 0; i < in.size(); ++i) in[i] = float((i * 7 + b) % 11);
    st = session->Run(in, b, &out);
    if (b % 2) {
      if (st.Code() != StatusCode::kInvalidArgument && why.empty()) why = "refused request of " + std::to_string(b) + " rows: " + st.ErrorMessage();
      continue;
    }
    if (!st.IsOK()) {
      if (why.empty()) why = "valid request of " + std::to_string(b) + " rows failed: " + st.ErrorMessage();
      continue;
    }
    bool same = out.size() == size_t(b / 2) * opts.width;
    for (size_t i = 0; same && i < out.size(); ++i) {
      const size_t p = i / opts.width, c = i % opts.width;
      auto act = [&](size_t row) { const float v = 2.0f * in[row * opts.width + c] - 5.0f; return v > 0 ? v : 0.0f; };
      if (out[i] != act(2 * p) + act(2 * p + 1)) same = false;
    }
    if (!same && why.empty()) why = "valid request of " + std::to_string(b) + " rows gave other values";
  }
  if (!why.empty()) { std::printf("ERROR %s\n", why.c_str()); return 1; }
  session.reset();
  if (cudaDeviceSynchronize() != cudaSuccess) { std::printf("ERROR cuda error at the end\n"); return 1; }
  std::printf("DONE\n");
  return 0;
}

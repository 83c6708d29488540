// Heat solver: picks the fastest layout of a relaxation step before the long run begins.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "tuner.h"

using namespace relax;

namespace {

std::vector<float> initial(const Domain& d) {
  std::vector<float> v(d.cells());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>((i * 31) % 257);
  return v;
}

int check(const Domain& d, const std::vector<float>& in, const Plan& plan) {
  std::vector<float> got(d.cells());
  ok(cudaMemcpy(got.data(), plan.result(), got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  auto at = [&](int row, int col) {
    return in[std::clamp(row, 0, d.height - 1) * d.width + std::clamp(col, 0, d.width - 1)];
  };
  int wrong = 0;
  for (int r = 0; r < d.height; ++r)
    for (int c = 0; c < d.width; ++c) {
      const float want = 0.25f * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1));
      if (!(std::fabs(got[r * d.width + c] - want) <= 1e-3f)) ++wrong;
    }
  return wrong;
}

// A production run of a plan, by the wall clock.
double produce(Plan& plan, int steps) {
  cudaStream_t stream;
  ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ok(cudaDeviceSynchronize());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) plan.step(stream);
  plan.drain(stream);
  ok(cudaDeviceSynchronize());
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  ok(cudaStreamDestroy(stream));
  return ms / steps;
}

}  // namespace

int main() {
  try {
    Domain domain;
    const std::vector<float> field = initial(domain);
    float* d_field = nullptr;
    ok(cudaMalloc(&d_field, field.size() * sizeof(float)));
    ok(cudaMemcpy(d_field, field.data(), field.size() * sizeof(float), cudaMemcpyHostToDevice));
    ok(cudaDeviceSynchronize());
    domain.field = d_field;

    int wrong = 0;
    double off = 1.0;
    {
      std::vector<std::unique_ptr<Plan>> plans;
      for (Layout layout : {Layout::Whole, Layout::Banded, Layout::Overlapped})
        plans.push_back(make_plan(layout, domain));

      std::vector<Measurement> table;
      {
        Tuner tuner({});
        std::vector<std::future<Measurement>> pending;
        for (auto& plan : plans) pending.push_back(tuner.submit(*plan));
        for (auto& p : pending) table.push_back(p.get());
      }

      const auto best = std::min_element(table.begin(), table.end(), [](const Measurement& a, const Measurement& b) {
        return a.ms_per_step < b.ms_per_step;
      });
      std::fprintf(stderr, "chosen layout: %s\n", best->name.c_str());

      for (std::size_t i = 0; i < plans.size(); ++i) {
        const double wall = produce(*plans[i], 3);
        const double ratio = wall / table[i].ms_per_step;
        off = std::max({off, ratio, 1.0 / ratio});
        wrong += check(domain, field, *plans[i]);
      }
    }
    ok(cudaFree(d_field));
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (off > 1.5) std::printf("SLOW %.2f\n", off);
    else std::printf("DONE\n");
  } catch (const std::exception& e) {
    std::printf("ERROR %s\n", e.what());
  }
  return 0;
}

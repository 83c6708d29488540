#pragma once

#include "lattice.h"

#include <vector>

// A number of time steps as one executable graph, whose coupling constant can
// be changed between launches.
class StepGraph {
 public:
  StepGraph(const Lattice& lattice, long long ns);
  ~StepGraph();
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  void run_directly(cudaStream_t s, unsigned k) { emit(s, k, nullptr); }
  void configure(int steps, unsigned k);
  void launch(cudaStream_t s);
  int rebuilds() const { return rebuilds_; }
  int retunes() const { return retunes_; }

 private:
  struct FlowNodes {
    std::vector<cudaGraphNode_t> x, y;
  };
  void emit(cudaStream_t s, unsigned k, FlowNodes* nodes);
  void build(int steps, unsigned k);
  void retune(unsigned k);
  void drop();

  Lattice lattice_;
  long long ns_;
  cudaStream_t recorder_ = nullptr;
  cudaStream_t side_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
  cudaEvent_t launched_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  FlowNodes nodes_;
  int steps_ = 0;
  unsigned k_ = 0;
  int rebuilds_ = 0;
  int retunes_ = 0;
};

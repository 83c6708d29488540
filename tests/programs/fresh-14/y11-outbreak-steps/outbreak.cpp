#include "outbreak.h"
#include <cstdio>
#include <cstdlib>

namespace epi {

void verify(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

Outbreak::Outbreak(int regions, int days, Rates rates) : days_(days) {
    fields_.regions = regions;
    for (float** p : {&fields_.susceptible, &fields_.infected, &fields_.recovered,
                      &fields_.incoming, &fields_.leaving})
        verify(cudaMalloc(p, regions * sizeof(float)));
    verify(cudaMalloc(&fields_.series, (days + 1) * sizeof(float)));
    verify(cudaMalloc(&fields_.day, sizeof(unsigned)));
    for (const char* name : {"contact", "recovery", "advance", "report"})
        stages_.emplace(name, makeStage(name, rates));
    verify(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
    verify(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    verify(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    verify(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
}

Outbreak::~Outbreak() {
    if (step_) cudaGraphExecDestroy(step_);
    cudaEventDestroy(fork_);
    cudaEventDestroy(join_);
    cudaStreamDestroy(main_);
    cudaStreamDestroy(side_);
    for (float* p : {fields_.susceptible, fields_.infected, fields_.recovered, fields_.incoming,
                     fields_.leaving, fields_.series})
        cudaFree(p);
    cudaFree(fields_.day);
}

void Outbreak::seed(const std::vector<float>& infected) {
    const size_t bytes = infected.size() * sizeof(float);
    std::vector<float> susceptible(infected.size());
    for (size_t i = 0; i < infected.size(); ++i) susceptible[i] = 1.0f - infected[i];
    verify(cudaMemcpy(fields_.susceptible, susceptible.data(), bytes, cudaMemcpyHostToDevice));
    verify(cudaMemcpy(fields_.infected, infected.data(), bytes, cudaMemcpyHostToDevice));
    verify(cudaMemset(fields_.recovered, 0, bytes));
    verify(cudaMemset(fields_.series, 0, (days_ + 1) * sizeof(float)));
    verify(cudaMemset(fields_.day, 0, sizeof(unsigned)));
    verify(cudaDeviceSynchronize());
}

void Outbreak::day() {
    verify(cudaEventRecord(fork_, main_));
    verify(cudaStreamWaitEvent(side_, fork_, 0));
    stage("contact").enqueue(fields_, main_);
    stage("recovery").enqueue(fields_, side_);
    verify(cudaEventRecord(join_, side_));
    verify(cudaStreamWaitEvent(main_, join_, 0));
    stage("advance").enqueue(fields_, main_);
    stage("report").enqueue(fields_, main_);
}

void Outbreak::prepare() {
    // Entry 0 of the series is the seeded state.
    stage("report").enqueue(fields_, main_);
    verify(cudaDeviceSynchronize());

    cudaGraph_t graph = nullptr;
    verify(cudaStreamBeginCapture(main_, cudaStreamCaptureModeThreadLocal));
    day();
    verify(cudaStreamEndCapture(main_, &graph));
    verify(cudaGraphInstantiate(&step_, graph, 0));
    verify(cudaGraphDestroy(graph));
}

std::vector<float> Outbreak::run() {
    for (int d = 0; d < days_; ++d) verify(cudaGraphLaunch(step_, main_));
    verify(cudaStreamSynchronize(main_));
    std::vector<float> series(days_ + 1);
    verify(cudaMemcpy(series.data(), fields_.series, series.size() * sizeof(float),
                      cudaMemcpyDeviceToHost));
    return series;
}
}  // namespace epi

#include "session.cuh"

#include <algorithm>
#include <cstring>

Session::Session(const std::vector<int>& buckets, const std::vector<int8_t>& weights) {
    const int most = *std::max_element(buckets.begin(), buckets.end());
    CK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CK(cudaMalloc(&d_w_, weights.size()));
    CK(cudaMalloc(&d_calib_, kFeatures * sizeof(float)));
    CK(cudaMalloc(&d_wf_, kFeatures * kClasses * sizeof(float)));
    CK(cudaMalloc(&d_x_, most * kFeatures * sizeof(float)));
    CK(cudaMalloc(&d_y_, most * kClasses * sizeof(float)));
    CK(cudaMallocHost(&h_x_, most * kFeatures * sizeof(float)));
    CK(cudaMallocHost(&h_y_, most * kClasses * sizeof(float)));
    CK(cudaMemcpyAsync(d_w_, weights.data(), weights.size(), cudaMemcpyHostToDevice, stream_));
    CK(cudaStreamSynchronize(stream_));
    for (int b : buckets) plans_[b] = record(b);
}

Session::Plan Session::record(int bucket) {
    Plan plan;
    plan.rows = bucket;
    plan.calib = calibration_for(bucket);

    cudaGraph_t graph{};
    CK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    CK(cudaMemcpyAsync(d_calib_, plan.calib.data(), plan.calib.size() * sizeof(float), cudaMemcpyHostToDevice,
                       stream_));
    CK(cudaMemcpyAsync(d_x_, h_x_, bucket * kFeatures * sizeof(float), cudaMemcpyHostToDevice, stream_));
    launch_dequant(d_w_, d_calib_, d_wf_, stream_);
    launch_linear(d_x_, d_wf_, d_y_, bucket, stream_);
    CK(cudaMemcpyAsync(h_y_, d_y_, bucket * kClasses * sizeof(float), cudaMemcpyDeviceToHost, stream_));
    CK(cudaStreamEndCapture(stream_, &graph));
    CK(cudaGraphInstantiate(&plan.exec, graph, 0));
    CK(cudaGraphDestroy(graph));
    return plan;
}

int Session::bucket_of(int rows) const { return plans_.lower_bound(rows)->first; }

std::vector<float> Session::infer(const std::vector<float>& rows_data, int rows) {
    std::lock_guard<std::mutex> g(m_);
    const Plan& plan = plans_.lower_bound(rows)->second;
    std::fill(h_x_, h_x_ + plan.rows * kFeatures, 0.f);
    std::copy(rows_data.begin(), rows_data.end(), h_x_);
    CK(cudaGraphLaunch(plan.exec, stream_));
    CK(cudaStreamSynchronize(stream_));
    return std::vector<float>(h_y_, h_y_ + rows * kClasses);
}

Session::~Session() {
    for (auto& [rows, plan] : plans_) cudaGraphExecDestroy(plan.exec);
    cudaFree(d_w_);
    cudaFree(d_calib_);
    cudaFree(d_wf_);
    cudaFree(d_x_);
    cudaFree(d_y_);
    cudaFreeHost(h_x_);
    cudaFreeHost(h_y_);
    cudaStreamDestroy(stream_);
}

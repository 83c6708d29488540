#include "llm/graph_runner.h"

#include <algorithm>
#include <stdexcept>

namespace llm {

GraphRunner::GraphRunner(Model& model, std::vector<int> buckets)
    : model_(model),
      buckets_(std::move(buckets)),
      stream_(make_stream()),
      meta_(pinned_array<int32_t>(meta_len())),
      next_(pinned_array<int32_t>(model.config().max_batch)),
      d_meta_(device_array<int32_t>(meta_len())),
      d_next_(device_array<int32_t>(model.config().max_batch)) {
    std::sort(buckets_.begin(), buckets_.end());
    check(cudaDeviceSynchronize());
}

std::size_t GraphRunner::meta_len() const {
    return static_cast<std::size_t>(kMetaFields) * model_.config().max_batch;
}

void GraphRunner::fill_padding(int32_t* meta) const {
    const int width = model_.config().max_batch;
    for (int i = 0; i < width; ++i) {
        meta[kToken * width + i] = 0;
        meta[kPosition * width + i] = 0;
        meta[kSlot * width + i] = -1;
    }
}

void GraphRunner::record_step(const int32_t* host_meta, int rows) {
    cudaStream_t s = stream_.get();
    check(cudaMemcpyAsync(d_meta_.get(), host_meta, meta_bytes(), cudaMemcpyHostToDevice, s));
    model_.enqueue_step(d_meta_.get(), d_next_.get(), rows, s);
    check(cudaMemcpyAsync(next_.get(), d_next_.get(), rows * sizeof(int32_t), cudaMemcpyDeviceToHost, s));
}

void GraphRunner::capture(int bucket) {
    std::vector<int32_t> meta(meta_len());
    fill_padding(meta.data());

    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal));
    record_step(meta.data(), bucket);
    check(cudaStreamEndCapture(stream_.get(), &graph));

    cudaGraphExec_t exec = nullptr;
    check(cudaGraphInstantiate(&exec, graph, 0));
    check(cudaGraphDestroy(graph));
    check(cudaGraphUpload(exec, stream_.get()));
    check(cudaStreamSynchronize(stream_.get()));
    graphs_[bucket] = GraphExecPtr(exec);
}

void GraphRunner::prepare() {
    fill_padding(meta_.get());
    record_step(meta_.get(), buckets_.back());
    check(cudaStreamSynchronize(stream_.get()));
    for (int b : buckets_) capture(b);
}

int GraphRunner::pick_bucket(int rows) const {
    for (int b : buckets_) {
        if (b >= rows) return b;
    }
    throw std::out_of_range("batch larger than the largest bucket");
}

std::vector<int32_t> GraphRunner::step(const std::vector<Row>& rows) {
    const int width = model_.config().max_batch;
    const int count = static_cast<int>(rows.size());
    fill_padding(meta_.get());
    for (int i = 0; i < count; ++i) {
        meta_[kToken * width + i] = rows[i].token;
        meta_[kPosition * width + i] = rows[i].position;
        meta_[kSlot * width + i] = rows[i].slot;
    }
    check(cudaGraphLaunch(graphs_.at(pick_bucket(count)).get(), stream_.get()));
    check(cudaStreamSynchronize(stream_.get()));
    ++replays_;
    return std::vector<int32_t>(next_.get(), next_.get() + count);
}

}  // namespace llm

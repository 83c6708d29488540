#include "node.h"
namespace mig {
Lane::Lane(int number, GraphCache& cache, int maxCells) : number_(number), cache_(cache) {
    MIG_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    MIG_CUDA(cudaMalloc(&field_, maxCells * sizeof(unsigned)));
    MIG_CUDA(cudaMalloc(&image_, maxCells * sizeof(unsigned)));
}

Lane::~Lane() {
    cudaStreamSynchronize(stream_);
    cudaFree(image_);
    cudaFree(field_);
    cudaStreamDestroy(stream_);
}

void Lane::submit(const Shot& shot) {
    std::shared_ptr<ShotGraph> graph = cache_.get(shot.shape);
    graph->bind(shot, field_, image_);
    MIG_CUDA(cudaGraphLaunch(graph->exec(), stream_));
    cells_ = shot.shape.cells;
    running_ = std::move(graph);
}

void Lane::wait() {
    MIG_CUDA(cudaStreamSynchronize(stream_));
    running_.reset();
}

std::vector<unsigned> Lane::image() const {
    std::vector<unsigned> out(cells_);
    MIG_CUDA(cudaMemcpy(out.data(), image_, cells_ * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return out;
}
}  // namespace mig

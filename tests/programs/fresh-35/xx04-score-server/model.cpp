#include "model.h"

namespace serve {

Model::Model(const ModelConfig& config, const Weights& weights)
    : config_(config),
      input_(static_cast<std::size_t>(config.max_batch) * config.features),
      relevance_("relevance", config, weights.relevance, input_),
      quality_("quality", config, weights.quality, input_),
      histogram_(config, relevance_.output()),
      score_(config, relevance_.output(), quality_.output(), histogram_.output()) {
    SERVE_CALL(cudaDeviceSynchronize());
}

void Model::forward(ExecContext& context, int batch, const Activation* samples, Activation* scores) {
    const std::size_t input_bytes = static_cast<std::size_t>(batch) * config_.features * sizeof(Activation);
    SERVE_CALL(cudaMemcpyAsync(input_.data(), samples, input_bytes, cudaMemcpyHostToDevice, context.main()));

    context.fork();
    quality_.enqueue(context.branch(), batch);
    relevance_.enqueue(context.main(), batch);
    histogram_.enqueue(context.main(), batch);
    context.join();

    score_.enqueue(context.main(), batch);
    SERVE_CALL(cudaMemcpyAsync(scores, score_.output().data(), static_cast<std::size_t>(batch) * sizeof(Activation),
                               cudaMemcpyDeviceToHost, context.main()));
}

}  // namespace serve

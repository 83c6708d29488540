#include "serve.h"

namespace serve {

namespace {

class UploadStream {
public:
    UploadStream() { raise_on(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~UploadStream() { cudaStreamDestroy(stream_); }
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

}  // namespace

Adapter::Adapter(int tenant, const ServerOptions& options) : tenant_(tenant) {
    const std::size_t count = static_cast<std::size_t>(options.hidden) * options.layers;
    float* staging = nullptr;
    raise_on(cudaMalloc(reinterpret_cast<void**>(&weights_), count * sizeof(float)));
    raise_on(cudaMallocHost(reinterpret_cast<void**>(&staging), count * sizeof(float)));
    for (int layer = 0; layer < options.layers; ++layer)
        for (int i = 0; i < options.hidden; ++i)
            staging[static_cast<std::size_t>(layer) * options.hidden + i] = weight(tenant, layer, i);
    UploadStream upload;
    raise_on(cudaMemcpyAsync(weights_, staging, count * sizeof(float), cudaMemcpyHostToDevice, upload));
    raise_on(cudaStreamSynchronize(upload));
    raise_on(cudaFreeHost(staging));
}

Adapter::~Adapter() {
    cudaFree(weights_);
}

std::shared_ptr<Adapter> AdapterLoader::load(int tenant) {
    shelf_.reset();
    shelf_ = std::make_shared<Adapter>(tenant, options_);
    return shelf_;
}

}  // namespace serve

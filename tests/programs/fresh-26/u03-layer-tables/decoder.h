#pragma once
#include "model.h"
#include "uploader.h"

namespace llm {

class Decoder {
public:
    explicit Decoder(const ModelConfig& cfg);
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    void reset();
    void run_eager();
    void build_graph();
    void run_graph();
    std::vector<unsigned> hidden_state();

private:
    void forward();

    ModelConfig cfg_;
    cudaStream_t stream_ = nullptr;
    unsigned* x_ = nullptr;
    unsigned* cache_ = nullptr;
    int* tables_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::unique_ptr<Uploader> uploader_;
};

} // namespace llm

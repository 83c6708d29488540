#include "client.h"

#include <algorithm>
#include <random>

namespace chat {

Client::Client(int session, const KvCache &cache, const ResidentDecoder &decoder)
    : session_(session), state_(cache.session(session)), decoder_(decoder)
{
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMallocHost(reinterpret_cast<void **>(&upload_), kChunk * sizeof(unsigned)));
    check(cudaMallocHost(reinterpret_cast<void **>(&download_), kChunk * sizeof(unsigned)));

    // An empty turn, so that the session starts from a known state.
    std::fill_n(upload_, kChunk, 0u);
    check(cudaMemcpyAsync(state_.turn, upload_, kChunk * sizeof(unsigned), cudaMemcpyHostToDevice, stream_));
    check(cudaMemcpyAsync(download_, state_.turn, kChunk * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
}

Client::~Client()
{
    cudaFreeHost(download_);
    cudaFreeHost(upload_);
    cudaStreamDestroy(stream_);
}

void Client::converse(int turns)
{
    check(cudaSetDevice(0));
    std::mt19937 rng(1000 + session_);
    const std::size_t bytes = kChunk * sizeof(unsigned);
    for (int t = 1; t <= turns; ++t) {
        for (int i = 0; i < kChunk; ++i) upload_[i] = rng() % 50000;
        history_.insert(history_.end(), upload_, upload_ + kChunk);

        check(cudaMemcpyAsync(state_.turn, upload_, bytes, cudaMemcpyHostToDevice, stream_));
        decoder_.turn(session_, unsigned(t), stream_);
        check(cudaMemcpyAsync(download_, state_.reply, bytes, cudaMemcpyDeviceToHost, stream_));
        check(cudaStreamSynchronize(stream_));
        replies_.insert(replies_.end(), download_, download_ + kChunk);
    }
}

int Client::differing() const
{
    int wrong = 0;
    for (std::size_t at = 0; at < replies_.size(); at += kChunk)
        for (unsigned lane = 0; lane < kChunk; ++lane) {
            unsigned acc = 0;
            for (std::size_t k = 0; k < at + kChunk; ++k) acc = acc * 33u + (history_[k] ^ lane);
            if (acc != replies_[at + lane]) ++wrong;
        }
    return wrong;
}

} // namespace chat

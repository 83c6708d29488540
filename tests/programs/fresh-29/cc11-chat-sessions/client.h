#pragma once
#include <vector>

#include "decoder.h"

namespace chat {

// A conversation: sends its turns one after another and keeps the replies.
class Client {
public:
    Client(int session, const KvCache &cache, const ResidentDecoder &decoder);
    ~Client();
    Client(const Client &) = delete;

    void converse(int turns);
    int differing() const;

private:
    int session_;
    const SessionState &state_;
    const ResidentDecoder &decoder_;
    cudaStream_t stream_ = nullptr;
    unsigned *upload_ = nullptr;
    unsigned *download_ = nullptr;
    std::vector<unsigned> history_, replies_;
};

} // namespace chat

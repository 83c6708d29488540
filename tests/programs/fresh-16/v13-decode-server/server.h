#pragma once
#include "tensor.h"

#include <vector>

namespace dec {

struct options {
    int lanes = 4;
    int requests = 12;
    int frames = 1 << 18;
};

// Decodes utterances; each request leaves its tokens in a reply tensor.
class server {
public:
    explicit server(const options& o);
    ~server();
    server(const server&) = delete;
    server& operator=(const server&) = delete;

    void submit(int request);
    void drain();
    const int* reply(int request) const { return replies_[request].data(); }

private:
    struct lane {
        cudaStream_t stream = nullptr;
        int* tokens = nullptr;
    };

    static std::vector<host_tensor> make_replies(const options& o);
    static std::vector<lane> make_lanes(const options& o);

    options options_;
    std::vector<host_tensor> replies_;
    resource_scope transfers_;
    std::vector<lane> lanes_;
};

int token(int request, int frame);

}  // namespace dec

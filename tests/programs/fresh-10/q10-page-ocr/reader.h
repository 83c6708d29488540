#pragma once
#include <array>
#include <functional>
#include "outbox.h"

namespace ocr {

// Reads pages on two presses in turn.
class Reader {
public:
    explicit Reader(Outbox& outbox);
    ~Reader();
    void read(int pageNumber);

private:
    struct Press {
        cudaStream_t stream = nullptr;
        unsigned char* ink = nullptr;
        char* text = nullptr;
    };
    static void then(cudaStream_t stream, std::function<void()> action);

    Outbox& outbox_;
    std::array<Press, 2> presses_;
};

}  // namespace ocr

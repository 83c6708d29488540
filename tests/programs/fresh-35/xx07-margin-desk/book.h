// Exposure of every account, kept on the device.
#pragma once

#include "gpu.h"
#include "orders.h"

#include <vector>

namespace risk {

struct BookView {
    int* exposure;
    const int* limit;
};

class Book {
public:
    explicit Book(const std::vector<int>& limits);

    BookView view() const { return BookView{exposure_.get(), limit_.get()}; }

    // Lets a part of the exposure expire, on the given stream.
    void decay(int accounts, cudaStream_t stream);

    // Exposure of all accounts as it is now; the array belongs to the book.
    const int* snapshot();

private:
    gpu::Memory<int> exposure_;
    gpu::Memory<int> limit_;
    gpu::Shared<int> report_;
};

}  // namespace risk

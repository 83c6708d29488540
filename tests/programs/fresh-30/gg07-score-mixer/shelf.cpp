#include "shelf.h"

#include "mixer.h"

namespace mixer {

SheetShelf::SheetShelf(size_t sheets, size_t bytes) : bytes_(bytes) {
    check(cudaMallocHost(reinterpret_cast<void**>(&slab_), sheets * bytes));
    for (size_t i = 0; i < sheets; ++i) free_.push_back(slab_ + i * bytes);
}

SheetShelf::~SheetShelf() { cudaFreeHost(slab_); }

SheetShelf::Sheet SheetShelf::take() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) return {};
    unsigned char* p = free_.back();
    free_.pop_back();
    return Sheet(p, [this](unsigned char* q) { put_back(q); });
}

void SheetShelf::put_back(unsigned char* p) {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(p);
}

}  // namespace mixer

#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace mixer {

// A fixed number of page-locked sheets.  A sheet goes back to the shelf when
// its last holder lets go of it, on whatever thread that happens.
class SheetShelf {
public:
    using Sheet = std::shared_ptr<unsigned char>;

    SheetShelf(size_t sheets, size_t bytes);
    ~SheetShelf();
    SheetShelf(const SheetShelf&) = delete;
    SheetShelf& operator=(const SheetShelf&) = delete;

    // Empty when all sheets are out.
    Sheet take();
    size_t sheet_bytes() const { return bytes_; }

private:
    void put_back(unsigned char* p);

    size_t bytes_;
    unsigned char* slab_ = nullptr;
    std::mutex mutex_;
    std::vector<unsigned char*> free_;
};

}  // namespace mixer

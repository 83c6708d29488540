#pragma once

#include <vector>

#include "desk/mailbox.h"

namespace desk {

// Filter bank that stays on the device for a whole trading session.
class ResidentFilter {
public:
    explicit ResidentFilter(Mailbox& mailbox);
    ~ResidentFilter();
    ResidentFilter(const ResidentFilter&) = delete;
    ResidentFilter& operator=(const ResidentFilter&) = delete;

    void load_shifts(const std::vector<int32_t>& shifts);
    void launch();
    void retire();
    bool running() const { return running_; }

private:
    void settle();

    Mailbox& mailbox_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t exited_ = nullptr;
    int32_t* book_ = nullptr;
    int32_t* shifts_ = nullptr;
    bool running_ = false;
};

}  // namespace desk

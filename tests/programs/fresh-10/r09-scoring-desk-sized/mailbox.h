#pragma once

namespace desk {

// Shared between the host and the attendant kernel, in mapped host memory.
struct Mailbox {
    volatile unsigned posted;
    volatile unsigned served;
    volatile int closing;
    const float* volatile rows;
    volatile int count;
    volatile float bias;
    volatile float score;
};

}  // namespace desk

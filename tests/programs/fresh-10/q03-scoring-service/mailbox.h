#pragma once

// Shared by the host and the resident kernel, page-locked and mapped.
struct Mailbox {
    unsigned posted;
    unsigned served;
    int stop;
    int rows;
    const float* input;
    float* output;
};

constexpr int kFeatures = 64;

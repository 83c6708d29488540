#pragma once
#include "encoder.h"

struct GopReport {
    long bits = 0;
    std::size_t slices = 0;
    int heaviest = -1;
};

// Ends a group of pictures: the figures of the report belong to the same instant.
inline cudaError_t closeGop(Encoder& encoder, RateLedger& ledger, int firstSlice, int count, GopReport& report) {
    auto view = ledger.view();
    CODEC_TRY(encoder.drain());
    report.bits = view.total();
    report.slices = view.slices();
    long most = -1;
    for (int s = firstSlice; s < firstSlice + count; ++s)
        if (view.of(s) > most) {
            most = view.of(s);
            report.heaviest = s;
        }
    return cudaSuccess;
}

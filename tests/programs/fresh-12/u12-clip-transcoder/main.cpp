#include <cstdio>

#include "transcoder.h"

int main()
{
    constexpr int kClips = 3;
    constexpr int kFrames = 8;

    clip::Ledger ledger;
    long wrong = 0;
    for (std::uint32_t c = 0; c < kClips; ++c) {
        clip::Transcoder transcoder(ledger);
        transcoder.open(c, kFrames);
        const auto frames = transcoder.flush(c);

        for (const auto& f : frames)
            for (int i = 0; i < clip::kPixels; ++i)
                wrong += f->picture[i] != std::uint8_t(255 - clip::source(c, f->number, i) / 2);

        const clip::Ledger::Account a = ledger.account(c);
        wrong += a.sent != kFrames || a.finished != kFrames || !a.closed;
    }

    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

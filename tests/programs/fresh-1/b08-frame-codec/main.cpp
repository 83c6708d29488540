#include "codec.h"

#include <vector>

int main()
{
    const unsigned pixels = 320 * 200;
    const unsigned frames = 16;

    codec c;
    codec_open(&c, pixels, frames);
    for (unsigned f = 0; f < frames; ++f)
        codec_frame(&c, f);
    codec_flush(&c);

    std::vector<unsigned> out((size_t)frames * pixels);
    codec_read(&c, out.data());
    codec_close(&c);

    int wrong = 0;
    for (unsigned f = 0; f < frames; ++f)
        for (unsigned i = 0; i < pixels; ++i)
            if (out[(size_t)f * pixels + i] != (((i * 5 + f) * 3 + 1) ^ 0x5a5au))
                ++wrong;
    if (wrong)
        printf("WRONG %d\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}

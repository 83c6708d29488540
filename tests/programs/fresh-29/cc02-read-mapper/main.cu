// Maps short reads to a reference: every chunk of reads goes through one of
// several lanes, and a report per chunk is gathered during the run.
#include <random>

#include "align_service.h"

static aln::ChunkReport expected(int chunk, const std::vector<aln::Kmer> &windows, const std::vector<aln::Kmer> &reads)
{
    aln::ChunkReport rep;
    rep.chunk = chunk;
    for (aln::Kmer read : reads) {
        int best = 1 << 20, pos = -1;
        for (std::size_t w = 0; w < windows.size(); ++w) {
            const aln::Kmer x = windows[w] ^ read;
            const int mm = __builtin_popcountll((x | (x >> 1)) & 0x5555555555555555ull);
            if (mm < best) { best = mm; pos = static_cast<int>(w); }
        }
        rep.mismatches += best;
        rep.position_sum += pos;
    }
    return rep;
}

int main()
{
    aln::Options opt;
    std::mt19937_64 rng(20240611);

    // A sliding window over the packed reference.
    std::vector<int> bases(4096 + 32);
    for (auto &b : bases) b = static_cast<int>(rng() & 3);
    std::vector<aln::Kmer> windows(4096);
    for (std::size_t w = 0; w < windows.size(); ++w) {
        aln::Kmer k = 0;
        for (int i = 0; i < 32; ++i) k = (k << 2) | static_cast<aln::Kmer>(bases[w + i]);
        windows[w] = k;
    }

    std::vector<std::vector<aln::Kmer>> chunks(opt.chunks);
    for (auto &c : chunks) {
        c.resize(opt.reads_per_chunk);
        for (auto &r : c) {
            r = windows[rng() % windows.size()];
            for (int e = 0; e < 3; ++e) r ^= aln::Kmer(1 + rng() % 3) << (2 * (rng() % 32));
        }
    }

    int wrong = 0;
    {
        aln::AlignService service(windows, opt);
        for (int c = 0; c < opt.chunks; ++c) service.submit(c, chunks[c]);
        auto reports = service.finish();
        for (int c = 0; c < opt.chunks; ++c) {
            const aln::ChunkReport want = expected(c, windows, chunks[c]);
            auto it = reports.find(c);
            if (it == reports.end() || it->second.mismatches != want.mismatches ||
                it->second.position_sum != want.position_sum)
                ++wrong;
        }
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}

// Microcanonical clock model with checkpoints at fixed intervals.
#include "checkpoint.h"

using lat::Spin;

static void reference(std::vector<Spin>& s, int L, unsigned step) {
    std::vector<Spin> n(s.size());
    for (int y = 0; y < L; ++y)
        for (int x = 0; x < L; ++x) {
            int xe = (x + 1) % L, xw = (x + L - 1) % L;
            int yn = (y + L - 1) % L, ys = (y + 1) % L;
            n[y * L + x] = lat::rotate(s[y * L + x], s[yn * L + x], s[ys * L + x],
                                       s[y * L + xe], s[y * L + xw], step);
        }
    s.swap(n);
}

int main() {
    constexpr int L = 256;
    constexpr unsigned steps = 24, interval = 8;

    std::vector<Spin> init(size_t(L) * L);
    std::uint32_t r = 12345u;
    for (Spin& s : init) {
        r = r * 1664525u + 1013904223u;
        s = (r >> 8) & lat::kClockMask;
    }

    lat::Lattice lattice(L);
    ckpt::Writer writer(init.size(), steps / interval);
    lattice.load(init);
    for (unsigned s = 0; s < steps; ++s) {
        if (s % interval == 0) writer.save(lattice, s);
        lattice.sweep(s);
    }
    std::vector<Spin> last(init.size());
    lattice.lane().drain();
    writer.close();
    RT(cudaMemcpy(last.data(), lattice.current().data(), last.size() * sizeof(Spin),
                  cudaMemcpyDeviceToHost));

    size_t wrong = 0;
    size_t next = 0;
    std::vector<Spin> ref = init;
    for (unsigned s = 0; s < steps; ++s) {
        if (next < writer.records().size() && writer.records()[next].step == s) {
            const ckpt::Record& rec = writer.records()[next++];
            for (size_t i = 0; i < rec.count; ++i)
                wrong += rec.words[i] != ((ref[2 * i] & 0xffffu) | (ref[2 * i + 1] << 16));
        }
        reference(ref, L, s);
    }
    for (size_t i = 0; i < ref.size(); ++i) wrong += last[i] != ref[i];
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}

#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace genome {

// Deterministic stand-in for a FASTQ reader.
class ReadSource {
public:
    explicit ReadSource(size_t basesPerBatch) : bases_(basesPerBatch) {}
    bool next(std::string& out, int batch, int batches) {
        if (batch >= batches) return false;
        out.resize(bases_);
        uint32_t h = 2166136261u ^ static_cast<uint32_t>(batch * 9973 + 1);
        const uint32_t bias = 64 + 12 * static_cast<uint32_t>(batch % 11);
        for (auto& c : out) {
            h = h * 1664525u + 1013904223u;
            const uint32_t r = h >> 24;
            c = r < bias ? (r & 1 ? 'G' : 'C') : (r & 1 ? 'A' : 'T');
        }
        return true;
    }

private:
    size_t bases_;
};

inline unsigned pack(const std::string& bases, uint8_t* out) {
    unsigned gc = 0;
    for (size_t i = 0; i < bases.size(); i += 4) {
        unsigned byte = 0;
        for (size_t k = 0; k < 4; ++k) {
            unsigned code = 0;
            switch (bases[i + k]) {
                case 'C': code = 1; break;
                case 'G': code = 2; break;
                case 'T': code = 3; break;
                default: break;
            }
            gc += code == 1 || code == 2;
            byte |= code << (2 * k);
        }
        out[i / 4] = static_cast<uint8_t>(byte);
    }
    return gc;
}

}  // namespace genome

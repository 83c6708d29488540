#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>
#include <vector>

#include "mixer.h"

using namespace mixer;

namespace {

constexpr int kBlocks = 48;
constexpr int kBlocksPerInstrument = 6;

class Composer {
public:
    std::vector<Note> bar(int block) {
        std::vector<Note> notes(static_cast<size_t>(24 + (block * 11) % (kMaxNotes - 24)));
        for (Note& n : notes) {
            n.start = static_cast<int>(draw() % (kFrames / 2));
            n.stride = 1 + static_cast<int>(draw() % 5);
            n.velocity = 1 + static_cast<int>(draw() % 127);
            n.offset = static_cast<int>(draw() % kPatchLength);
        }
        return notes;
    }

private:
    unsigned draw() {
        state_ = state_ * 1664525u + 1013904223u;
        return state_ >> 8;
    }
    unsigned state_ = 4711;
};

void mix_on_host(std::vector<int>& tape, int block, int instrument, const std::vector<Note>& notes, int mood) {
    const DeskSettings desk = settings_for(mood);
    for (int f = 0; f < kFrames; ++f) {
        int dry = 0;
        for (const Note& n : notes) {
            if (f >= n.start) dry += voice(patch_sample(instrument, patch_index(n, f)), n, f);
        }
        tape[static_cast<size_t>(block) * kFrames + static_cast<size_t>(f)] = wet(dry, desk, f);
    }
}

}  // namespace

int main() {
    try {
        std::vector<std::vector<Note>> score;
        Composer composer;
        for (int b = 0; b < kBlocks; ++b) score.push_back(composer.bar(b));

        std::vector<int> got;
        {
            Desk desk(kBlocks, 3);
            for (int b = 0; b < kBlocks; ++b) {
                if (b % kBlocksPerInstrument == 0) desk.insert(b / kBlocksPerInstrument);
                const std::vector<Note> bar = score[static_cast<size_t>(b)];
                while (!desk.play(b, bar, 3 * b)) std::this_thread::sleep_for(std::chrono::microseconds(100));
            }
            got = desk.tape();
        }

        std::vector<int> want(static_cast<size_t>(kBlocks) * kFrames);
        for (int b = 0; b < kBlocks; ++b) {
            mix_on_host(want, b, b / kBlocksPerInstrument, score[static_cast<size_t>(b)], 3 * b);
        }
        long bad = 0;
        for (size_t i = 0; i < want.size(); ++i) bad += got[i] != want[i];
        if (bad) {
            std::printf("WRONG %ld\n", bad);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}

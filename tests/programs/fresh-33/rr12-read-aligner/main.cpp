#include "engine.hpp"

#include <string>

using namespace align;

namespace {

constexpr int kBatches = 12;
constexpr std::string_view kGenome = "GATTACAGGCTTAACCGTAGGATCCATTTGCA";

int expected(int batch, int times, int weight) {
    int sum = 0;
    for (int i = 0; i < kReads; ++i) {
        const char base = kGenome[(i + batch) % kGenome.size()];
        const int c = base == 'A' ? 0 : base == 'C' ? 1 : base == 'G' ? 2 : 3;
        sum += (times % 2 ? 3 - c : c) * weight;
    }
    return sum;
}

}  // namespace

int main() {
    all_ok(cudaSetDevice(0));
    int wrong = 0;
    {
        Engine engine(kBatches);
        std::vector<Command> program;
        for (int b = 0; b < kBatches; ++b) {
            program.emplace_back(Encode{kGenome, b});
            if (const int times = b % 4; times > 0) program.emplace_back(Complement{times});
            program.emplace_back(Score{b, b + 1});
        }
        for (const auto& c : program) engine.execute(c);
        const auto& scores = engine.finish();
        for (int b = 0; b < kBatches; ++b) wrong += scores[b] != expected(b, b % 4, b + 1);
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}

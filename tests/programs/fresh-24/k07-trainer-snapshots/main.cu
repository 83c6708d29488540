#include <vector>

#include "snapshots.cuh"
#include "trainer.cuh"

using namespace tr;

namespace {
template <class Rule, class Codec>
long checkArchive(const RunSpec& spec, const Archive& archive) {
    std::vector<float> w(spec.weights, 0.0f);
    std::vector<float> v(spec.weights, 0.0f);
    long wrong = (long)archive.size() != spec.steps / spec.every;
    for (int s = 1; s <= spec.steps; ++s) {
        for (int i = 0; i < spec.weights; ++i) Rule::apply(w[i], &v[i], gradientOf(s, i));
        if (s % spec.every) continue;
        const auto it = archive.find(s);
        if (it == archive.end()) {
            ++wrong;
            continue;
        }
        for (int i = 0; i < spec.weights; ++i) wrong += it->second[i] != Codec::encode(w[i]);
    }
    return wrong;
}

template <class Rule, class Codec>
long experiment(const RunSpec& spec) {
    Archive archive;
    Trainer<Rule, PackedSnapshots<Codec>> trainer(spec, archive);
    trainer.run();
    return checkArchive<Rule, Codec>(spec, archive);
}
}  // namespace

int main() {
    RunSpec spec;
    {
        Archive none;
        Trainer<PlainSgd, NoSnapshots> dry(spec, none);
        dry.run();
    }
    long wrong = experiment<Momentum, Fixed12>(spec);
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return 0;
}

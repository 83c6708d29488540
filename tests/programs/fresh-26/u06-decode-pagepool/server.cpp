#include "engine.h"
#include "sequences.h"

#include <cmath>
#include <cstdio>

namespace {

constexpr int kConversations = 12;
constexpr int kTokens = 24;

int next_token(int seed, int step) { return (seed * 13 + step * 7) % 1000; }

float expected_score(int seed, int tokens)
{
    float s = 0.f;
    for (int p = 0; p < tokens; ++p)
        for (int t = 0; t < kHeadDim; ++t)
            s += static_cast<float>((next_token(seed, p) * 31 + t) % 17);
    return s;
}

// Decodes a conversation to its end on one lane and returns its last score.
float decode(DecodeEngine& engine, int lane, Sequence& s)
{
    Request r;
    r.page = s.kv.get();
    for (int step = 0; step < kTokens; ++step) {
        r.op = Op::append;
        r.token = next_token(s.prompt_seed, step);
        r.position = s.length++;
        engine.post(lane, r);
        engine.wait(lane);
    }
    r.op = Op::attend;
    r.position = s.length;
    engine.post(lane, r);
    return engine.wait(lane);
}

} // namespace

int main()
{
    int wrong = 0;
    SequenceTable table(kLanes);
    DecodeEngine engine;
    engine.start();
    for (int id = 0; id < kConversations; ++id) {
        const int lane = id % kLanes;
        table.admit(id, 100 + id);
        Sequence& s = table.at(id);
        const float score = decode(engine, lane, s);
        if (std::fabs(score - expected_score(s.prompt_seed, kTokens)) > 0.5f)
            ++wrong;
        table.retire(id);
    }
    engine.stop();
    expect_ok(cudaDeviceSynchronize());

    if (wrong || table.size() != 0)
        std::printf("WRONG %d\n", wrong + static_cast<int>(table.size()));
    else
        std::printf("DONE\n");
    return 0;
}

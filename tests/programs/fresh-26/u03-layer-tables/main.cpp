#include "decoder.h"

#include <cstdio>

namespace {

int differences(const std::vector<unsigned>& a, const std::vector<unsigned>& b)
{
    int n = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        n += a[i] != b[i];
    return n;
}

} // namespace

int main()
{
    const llm::ModelConfig cfg;
    constexpr int kReplays = 5;
    int wrong = 0;
    {
        llm::Decoder decoder(cfg);

        decoder.run_eager();
        wrong += differences(decoder.hidden_state(), llm::reference(cfg, 1));

        decoder.build_graph();
        decoder.reset();
        for (int i = 0; i < kReplays; ++i)
            decoder.run_graph();
        wrong += differences(decoder.hidden_state(), llm::reference(cfg, kReplays));
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

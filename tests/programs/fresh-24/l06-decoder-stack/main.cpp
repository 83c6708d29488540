#include "decoder.h"

using llm::Config;

static std::vector<int> onHost(const Config& c, int token, int count)
{
    std::vector<std::uint32_t> x(c.dim), cache(static_cast<std::size_t>(c.layers) * count * c.dim);
    std::vector<int> text;
    for (int pos = 0; pos < count; ++pos) {
        for (int i = 0; i < c.dim; ++i)
            x[i] = llm::embedding(token, i);
        for (int l = 0; l < c.layers; ++l) {
            auto* rows = cache.data() + static_cast<std::size_t>(l) * count * c.dim;
            for (int i = 0; i < c.dim; ++i) {
                rows[pos * c.dim + i] = llm::projected(x[i], l);
                std::uint32_t past = 0;
                for (int t = 0; t < pos; ++t)
                    past += rows[t * c.dim + i] * (t + 1);
                x[i] = llm::mixed(x[i], past);
            }
        }
        std::uint32_t sum = 0;
        for (int i = 0; i < c.dim; ++i)
            sum += x[i] * (i + 1);
        token = static_cast<int>(sum % c.vocab);
        text.push_back(token);
    }
    return text;
}

int main()
{
    const Config cfg;
    const int count = 28, prompts[] = {11, 402};
    llm::Decoder decoder(cfg);

    int wrong = 0;
    for (int prompt : prompts) {
        const auto got = decoder.generate(prompt, count);
        const auto want = onHost(cfg, prompt, count);
        for (int i = 0; i < count; ++i)
            wrong += got[i] != want[i];
    }
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 2;
    }
    std::printf("DONE\n");
    return 0;
}

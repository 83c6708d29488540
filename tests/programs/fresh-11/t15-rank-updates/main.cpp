// Ranks the pages of a link graph with an annealed damping.
#include "rank.cuh"

int main()
{
    constexpr uint32_t vertices = 1 << 12, degree = 8;
    constexpr int iterations = 10;
    std::vector<Edge> edges;
    uint32_t state = 12345;
    for (uint32_t v = 0; v < vertices; ++v)
        for (uint32_t d = 0; d < degree; ++d) {
            state = state * 1664525u + 1013904223u;
            edges.push_back({v, (state >> 12) % vertices});
        }

    auto base = [](int i) { return Rank(100 + 10 * i); };
    auto weight = [](int i) { return uint32_t(15 - i % 4); };

    Ranker ranker(edges, vertices, iterations);
    for (int i = 0; i < iterations; ++i) ranker.iterate(base(i), weight(i));
    std::vector<Rank> mass;
    const std::vector<Rank> ranks = ranker.finish(mass);

    std::size_t wrong = mass.size() != iterations;
    std::vector<Rank> expected(vertices, 1000);
    for (int i = 0; i < iterations && !wrong; ++i) {
        Rank sum = 0;
        for (Rank r : expected) sum += r;
        wrong += mass[i] != sum;
        std::vector<Rank> next(vertices, base(i));
        for (const Edge& e : edges) next[e.to] += share(expected[e.from], weight(i));
        expected.swap(next);
    }
    for (uint32_t v = 0; v < vertices; ++v) wrong += ranks[v] != expected[v];

    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

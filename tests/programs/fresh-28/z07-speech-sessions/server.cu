#include <chrono>
#include <cstdio>
#include <memory>
#include "session.h"

using namespace asr;
using SessionPtr = std::unique_ptr<Session>;

// Serves the first `active` callers chunk by chunk; returns milliseconds.
static double serve(std::vector<SessionPtr>& sessions, int active, int chunks, int& wrong)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int c = 0; c < chunks; ++c)
        for (int s = 0; s < active; ++s) sessions[s]->feed(c);
    std::vector<unsigned long long> scores;
    for (int s = 0; s < active; ++s) scores.push_back(sessions[s]->finish());
    const auto end = std::chrono::steady_clock::now();
    for (int s = 0; s < active; ++s) wrong += scores[s] != sessions[s]->expected(chunks);
    return std::chrono::duration<double, std::milli>(end - begin).count();
}

int main()
try {
    const FrontEnd frontEnd;
    const Limits limits;
    std::vector<SessionPtr> sessions;
    for (int s = 0; s < limits.sessions; ++s)
        sessions.push_back(std::make_unique<Session>(s, frontEnd, limits));

    int wrong = 0;
    serve(sessions, limits.sessions, 2, wrong);
    const double one = serve(sessions, 1, limits.chunksPerCall, wrong);
    const double all = serve(sessions, limits.sessions, limits.chunksPerCall, wrong);
    std::fprintf(stderr, "1 session %.1f ms, %d sessions %.1f ms\n", one, limits.sessions, all);

    const double ratio = all / one;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
} catch (const CudaError& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
}

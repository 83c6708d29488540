#include "engine.h"

using namespace serve;

static uint32_t expected(const Request& r) {
    std::vector<uint32_t> kv;
    uint32_t token = r.prompt;
    for (int step = 0; step < r.tokens; ++step) {
        kv.push_back(token);
        token = 0;
        for (size_t i = 0; i < kv.size(); ++i) token += mix(kv[i], uint32_t(i));
    }
    return token;
}

int main() {
    std::vector<Request> load;
    for (int id = 0; id < 40; ++id)
        load.push_back(Request{id, 1000u + 37u * id, Engine::kQuantum * (1 + (id * 5) % 7)});

    std::vector<Completion> done;
    {
        Engine engine(8, 64);
        for (const auto& request : load) engine.submit(request);
        done = engine.run();
    }

    std::vector<uint32_t> last(load.size(), 0);
    std::vector<int> seen(load.size(), 0);
    for (const auto& c : done) {
        last[c.id] = c.last;
        ++seen[c.id];
    }
    int wrong = 0;
    for (const auto& request : load)
        if (seen[request.id] != 1 || last[request.id] != expected(request)) ++wrong;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}

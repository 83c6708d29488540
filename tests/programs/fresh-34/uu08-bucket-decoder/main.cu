// Token generation with bucketed graphs over a slotted key-value cache.
#include <algorithm>

#include "scheduler.h"

namespace {

std::vector<llm::Request> workload(int vocab) {
    std::vector<llm::Request> requests;
    uint32_t seed = 4242u;
    for (int id = 0; id < 11; ++id) {
        llm::Request r;
        r.id = id;
        r.new_tokens = 4 + (id * 5) % 13;
        const int length = 2 + (id * 7) % 9;
        for (int i = 0; i < length; ++i) {
            seed = seed * 1103515245u + 12345u;
            r.prompt.push_back(static_cast<int32_t>((seed >> 8) % vocab));
        }
        requests.push_back(std::move(r));
    }
    return requests;
}

}  // namespace

int main() {
    llm::ModelConfig config;
    llm::Model model(config);
    llm::GraphRunner runner(model, {1, 2, 4});
    runner.prepare();
    model.reset_cache();

    llm::Scheduler scheduler(runner, config.max_batch);
    for (auto& r : workload(config.vocab)) scheduler.submit(std::move(r));
    while (scheduler.tick()) {
    }

    int off = 0;
    int produced = 0;
    for (const llm::Request& r : scheduler.finished()) {
        const std::vector<int32_t> want = model.generate_on_host(r.prompt, r.new_tokens);
        produced += static_cast<int>(r.produced.size());
        for (std::size_t i = 0; i < want.size(); ++i) off += r.produced[i] != want[i];
    }
    std::printf("requests %zu tokens %d replays %d\n", scheduler.finished().size(), produced, runner.replays());
    if (off) {
        std::printf("WRONG %d\n", off);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}

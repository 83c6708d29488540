// what it asks: Do all owners see a write through any of them?
#include <memory>

void observe(long long value);

struct Stats {
    int launches = 0;
    int bytes = 0;
};
struct Stream {
    std::shared_ptr<Stats> stats;
    void launch(int b) {
        ++stats->launches;
        stats->bytes += b;
    }
};
int main() {
    auto stats = std::make_shared<Stats>();
    Stream s{stats};
    Stream t = s;
    s.launch(16);
    t.launch(32);
    Stream lone{std::make_shared<Stats>(*stats)};
    lone.launch(1000);
    observe(stats->launches);
    observe(stats->bytes);
    observe(lone.stats->bytes);
    observe(stats.use_count() * 10 + lone.stats.use_count());
}

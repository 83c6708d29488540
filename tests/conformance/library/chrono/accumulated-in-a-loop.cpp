// what it asks: Does a duration summed over a loop of mixed steps come out exactly?
#include <chrono>
#include <vector>

void observe(long long value);

struct Span {
    std::chrono::microseconds elapsed{0};
    int laps = 0;
    void add(std::chrono::microseconds d) {
        elapsed += d;
        ++laps;
    }
    std::chrono::microseconds mean() const { return elapsed / laps; }
};
int main() {
    using namespace std::chrono;
    Span span;
    for (int i = 1; i <= 4; ++i) span.add(milliseconds(i));
    span.add(microseconds(500));
    observe(span.elapsed.count());
    observe(span.mean().count());
    observe(duration_cast<milliseconds>(span.elapsed).count());
    milliseconds tick(58);
    for (int i = 0; i < 3; ++i) ++tick;
    observe(tick.count());
}

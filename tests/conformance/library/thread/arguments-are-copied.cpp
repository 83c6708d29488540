// what it asks: Does a thread work on copies of its arguments unless given by ref?
#include <functional>
#include <thread>

void observe(long long value);

namespace {
int seen = 0;
void work(int value, int& shared) {
    value += 100;
    shared += value;
    seen = value;
}
}  // namespace
int main() {
    int value = 7, shared = 1, untouched = 30;
    std::thread a(work, value, std::ref(shared));
    a.join();
    observe(value);
    observe(shared);
    std::thread b([untouched, &shared]() mutable {
        untouched += 5;
        shared = untouched;
    });
    b.join();
    observe(untouched * 100 + shared);
    observe(seen);
}

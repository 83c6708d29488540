// what it asks: Does compare_exchange say what was there, and store only on a match, also in a loop?
#include <atomic>
void observe(long long value);

static int add_limited(std::atomic<int>& n, int by, int limit) {
    int old = n.load();
    int rounds = 0;
    do {
        ++rounds;
        if (old + by > limit) return -rounds;
    } while (!n.compare_exchange_strong(old, old + by));
    return old;
}

int main() {
    std::atomic<int> n{3};
    int guess = 9;
    bool first = n.compare_exchange_strong(guess, 50);
    observe(guess * 10 + first);
    bool second = n.compare_exchange_strong(guess, 50, std::memory_order_acq_rel);
    observe(n.load() * 10 + second);
    observe(add_limited(n, 5, 100));
    observe(add_limited(n, 500, 100));
    observe(n);
}

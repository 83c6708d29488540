// what it asks: Does compare_exchange store on a match and load the present value on a mismatch?
#include <atomic>

void observe(long long value);

static int atomic_max(std::atomic<int>& a, int v) {
    int seen = a.load();
    int tries = 0;
    while (seen < v && !a.compare_exchange_strong(seen, v)) ++tries;
    return tries;
}
int main() {
    std::atomic<int> a(5);
    int expected = 4;
    bool ok = a.compare_exchange_strong(expected, 9);
    observe(expected * 10 + (ok ? 1 : 2));
    ok = a.compare_exchange_strong(expected, 9);
    observe(a * 10 + (ok ? 1 : 2));
    int tries = atomic_max(a, 30);
    tries += atomic_max(a, 20);
    observe(a + tries);
    observe(expected);
}

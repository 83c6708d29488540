// what it asks: Do atomic fetch operations return the old value and operators the new?
#include <atomic>

void observe(long long value);

int main() {
    std::atomic<int> a(10);
    int old = a.fetch_add(5);
    observe(old * 100 + a.load());
    observe(a += 7);
    observe(a++ * 10 + 1);
    observe(a.exchange(6));
    std::atomic<unsigned> bits(12);
    unsigned before = bits.fetch_or(3);
    before = before * 100 + bits.fetch_and(9);
    observe(before);
    observe(bits ^= 2);
}

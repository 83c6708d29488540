// what it asks: Do transfers under scoped_lock of two mutexes keep the sum in both directions?
#include <mutex>
#include <thread>

void observe(long long value);

struct Cell {
    std::mutex m;
    int value;
    explicit Cell(int v) : value(v) {}
};
static void transfer(Cell& from, Cell& to, int amount, int times) {
    for (int i = 0; i < times; ++i) {
        std::scoped_lock lock(from.m, to.m);
        from.value -= amount;
        to.value += amount;
    }
}
int main() {
    Cell a(500), b(100);
    std::thread t([&] { transfer(a, b, 2, 60); });
    std::thread u([&] { transfer(b, a, 1, 50); });
    t.join();
    u.join();
    observe(a.value);
    observe(b.value);
    observe(a.value + b.value);
}

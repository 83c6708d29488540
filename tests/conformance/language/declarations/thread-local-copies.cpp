// what it asks: Does every thread have its own thread_local variable while the shared one is common?
#include <thread>

void observe(long long value);

static thread_local int mine = 10;
static int shared = 10;
static void work(int n, int* out) {
    for (int i = 0; i < n; ++i) {
        ++mine;
        ++shared;
    }
    *out = mine;
}

int main() {
    int a = 0, b = 0;
    mine = 500;
    std::thread first(work, 4, &a);
    first.join();
    std::thread second(work, 30, &b);
    second.join();
    observe(a);
    observe(b);
    observe(mine);
    observe(shared);
}

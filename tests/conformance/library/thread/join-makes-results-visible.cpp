// what it asks: Are a thread's writes through a reference there after join?
#include <functional>
#include <thread>
#include <vector>

void observe(long long value);

static void sum_up(const std::vector<int>& in, int& out) {
    for (int x : in) out += x;
}
int main() {
    std::vector<int> v{4, 8, 15, 16, 23, 42};
    int out = 2;
    std::thread t(sum_up, std::cref(v), std::ref(out));
    t.join();
    observe(out);
    observe(t.joinable() ? 5 : 6);
}

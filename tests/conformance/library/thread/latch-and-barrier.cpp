// std: c++20
// what it asks: Does everyone behind a latch or barrier see what the others did before it?
#include <barrier>
#include <latch>
#include <thread>

void observe(long long value);

int main() {
    std::latch ready(2), go(1);
    int a = 0, b = 0, sum = 0;
    std::thread one([&] { a = 7; ready.count_down(); go.wait(); sum += a; });
    std::thread two([&] { b = 20; ready.count_down(); });
    ready.wait();
    observe(a + b);
    a = 100;
    go.count_down();
    one.join();
    two.join();
    observe(sum);
    std::barrier<> meet(2);
    int left = 1, right = 2, seen = 0;
    std::thread other([&] {
        right = 30;
        meet.arrive_and_wait();
        seen = left;
        meet.arrive_and_wait();
    });
    left = 5;
    meet.arrive_and_wait();
    observe(right);
    meet.arrive_and_wait();
    observe(seen);
    other.join();
}

// what it asks: Does moving a std::thread hand over the running thread?
#include <thread>
#include <utility>

void observe(long long value);

int main() {
    int a = 0, b = 0;
    std::thread first([&a] { a = 12; });
    std::thread second;
    observe((first.joinable() ? 10 : 20) + (second.joinable() ? 1 : 2));
    second = std::move(first);
    observe((first.joinable() ? 10 : 20) + (second.joinable() ? 1 : 2));
    first = std::thread([&b] { b = 34; });
    first.swap(second);
    first.join();
    observe(a);
    second.join();
    observe(b);
}

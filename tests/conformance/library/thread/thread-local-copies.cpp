// what it asks: Does each thread start with a fresh thread_local and leave main's alone?
#include <thread>

void observe(long long value);

namespace {
thread_local int depth = 5;
int bump(int by) { return depth += by; }
}  // namespace
int main() {
    int in_thread = 0;
    bump(10);
    std::thread t([&in_thread] {
        bump(1);
        in_thread = bump(1);
    });
    t.join();
    observe(in_thread);
    observe(depth);
    std::thread u([&in_thread] { in_thread = bump(30); });
    u.join();
    observe(in_thread);
}

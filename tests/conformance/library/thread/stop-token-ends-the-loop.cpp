// std: c++20
// what it asks: Does request_stop end a jthread's loop, run its callback and report only the first request?
#include <stop_token>
#include <thread>

void observe(long long value);

int main() {
    int called = 0, ended = 0;
    std::jthread loop([&ended](std::stop_token token) {
        while (!token.stop_requested()) std::this_thread::yield();
        ended = 15;
    });
    std::stop_source source = loop.get_stop_source();
    observe(source.stop_requested() ? 3 : 4);
    std::stop_callback callback(loop.get_stop_token(), [&called] { called += 6; });
    bool first = source.request_stop();
    bool second = loop.request_stop();
    observe((first ? 10 : 20) + (second ? 1 : 2));
    observe(called);
    loop.join();
    observe(ended);
}

// what it asks: Does taking hours, minutes and seconds off a duration leave the rest?
#include <chrono>

void observe(long long value);

int main() {
    using namespace std::chrono;
    milliseconds rest(7'384'056);
    auto h = duration_cast<hours>(rest);
    rest -= h;
    auto m = duration_cast<minutes>(rest);
    rest -= m;
    auto s = duration_cast<seconds>(rest);
    rest -= s;
    observe(h.count());
    observe(m.count());
    observe(s.count());
    observe(rest.count());
}

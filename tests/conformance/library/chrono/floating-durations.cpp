// what it asks: Do durations with floating representation keep their fractions?
#include <chrono>
#include <ratio>

void observe(long long value);

int main() {
    using namespace std::chrono;
    duration<double> s = milliseconds(2750);
    observe(static_cast<long long>(s.count() * 4));
    duration<float, std::milli> ms = microseconds(2500);
    observe(static_cast<long long>(ms.count() * 10));
    duration<int, std::ratio<1, 60>> frames(150);
    observe(duration_cast<milliseconds>(frames).count());
    observe(duration_cast<seconds>(frames).count());
    observe(round<seconds>(milliseconds(3600)).count() * 10 + floor<seconds>(milliseconds(3600)).count());
}

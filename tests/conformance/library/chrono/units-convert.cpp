// what it asks: Do conversions between units scale exactly and duration_cast truncate?
#include <chrono>

void observe(long long value);

int main() {
    using namespace std::chrono;
    milliseconds ms = seconds(3);
    observe(ms.count());
    observe(duration_cast<seconds>(milliseconds(2999)).count());
    observe(duration_cast<minutes>(hours(2) + seconds(119)).count());
    observe(duration_cast<seconds>(milliseconds(-1500)).count());
    observe(microseconds(milliseconds(7)).count() + nanoseconds(5).count());
}

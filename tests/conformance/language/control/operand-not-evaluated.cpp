// what it asks: Does the right operand of && and || change things only where it is evaluated?
#include <cstring>

void observe(long long value);

static int length(const char* text) { return static_cast<int>(std::strlen(text)); }

int main() {
    int calls = 3;
    const bool both = length("warp") > 40 && (calls = 50) > 0;
    observe(calls + both);
    const bool either = length("warp") < 40 || (calls = 70) > 0;
    observe(calls + either);
    const bool late = length("warp") < 40 && ++calls > 0;
    observe(calls + late);
    int first = 0;
    int last = (first = 8, first + 1);
    observe(first * 10 + last);
}

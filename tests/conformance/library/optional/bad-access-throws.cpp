// what it asks: Does value() of an empty optional throw bad_optional_access?
#include <optional>

void observe(long long value);

static int half(std::optional<int> x) { return x.value() / 2; }
int main() {
    int steps = 0;
    try {
        steps += half(84);
        steps += half(std::nullopt);
        steps += 1000;
    } catch (const std::bad_optional_access&) {
        steps += 5;
    }
    observe(steps);
    observe(half(18));
}

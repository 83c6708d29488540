// what it asks: Does an optional tell whether it holds, give value_or's fallback, and forget on reset?
#include <optional>

void observe(long long value);

int main() {
    std::optional<int> device;
    observe(device.value_or(-7));
    device = 3;
    observe(device.value_or(-7));
    *device += 10;
    std::optional<int> copy = device;
    device.reset();
    observe(device.has_value() ? 5 : 6);
    observe(copy.value());
    copy = std::nullopt;
    observe(copy ? 8 : 9);
}

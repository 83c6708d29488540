// what it asks: Does plain auto make a mutable copy while auto& and decltype keep references?
#include <type_traits>

void observe(long long value);

int main() {
    int n = 5;
    const int& view = n;
    auto copy = view;
    copy += 10;
    auto& alias = n;
    alias += 100;
    decltype(view) same = n;
    n += 1000;
    observe(copy);
    observe(same);
    observe(view - alias + 3);
    decltype((copy)) ref = copy;
    ref *= 2;
    observe(copy);
    observe(std::is_const<decltype(copy)>::value ? 11 : 22);
}

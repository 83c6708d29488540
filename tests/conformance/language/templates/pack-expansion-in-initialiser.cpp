// what it asks: Does expanding a pack with a pattern in a braced list evaluate the elements in order?
#include <utility>

void observe(long long value);

static int serial = 0;
template <class... Ts> int weigh(Ts... v) {
    int cells[] = {(v * ++serial)..., 1000};
    int r = 0;
    for (int c : cells) r += c;
    return r;
}
template <int... I> int gather(const int* data, std::integer_sequence<int, I...>) {
    int picked[] = {data[I * 2]...};
    return picked[sizeof...(I) - 1] * 100 + picked[0];
}

int main() {
    observe(weigh(5, 6, 7));
    observe(serial);
    observe(weigh(1));
    int data[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    observe(gather(data, std::make_integer_sequence<int, 4>{}));
    observe(gather(data, std::integer_sequence<int, 2, 1>{}));
}

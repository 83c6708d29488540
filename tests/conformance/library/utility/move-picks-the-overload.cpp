// what it asks: Does std::move pick the rvalue overload, and do nothing on its own or to const?
#include <utility>

void observe(long long value);

namespace {
struct Data {
    int v;
};
int take(const Data& d) { return d.v * 10; }
int take(Data&& d) { return std::exchange(d.v, 0) + 500; }
}  // namespace
int main() {
    Data d{7};
    const Data c{8};
    observe(take(d));
    Data&& same = std::move(d);
    observe(same.v);
    observe(take(std::move(d)));
    observe(d.v + 20);
    observe(take(std::move(c)));
    observe(take(same) + 3);
}

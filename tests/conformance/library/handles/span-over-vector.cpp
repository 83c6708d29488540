// std: c++20
// what it asks: A view of elements is passed on, cut and written through.
#include <array>
#include <span>
#include <vector>

void observe(long long value);

int sum(std::span<const int> values) {
    int total = 0;
    for (int it : values) total += it;
    return total;
}

void scale(std::span<int> values, int by) {
    for (auto& it : values) it *= by;
}

int main() {
    std::vector<int> data{1, 2, 3, 4};
    observe(sum(data));
    scale(std::span(data).subspan(2), 10);
    observe(data[1] * 100 + data[2]);
    std::array<int, 3> fixed{7, 8, 9};
    observe(sum(fixed));
    int raw[] = {5, 6};
    observe(sum(raw));
    observe(sum({data.data(), 2}));
    std::span<int> view(data);
    observe(view.size());
    observe(view.back());
    observe(view.first(2)[1]);
    observe(view.size_bytes());
}

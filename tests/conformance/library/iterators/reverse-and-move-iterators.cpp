// what it asks: Do reverse and move iterators change the order or the manner of a copy?
#include <iterator>
#include <memory>
#include <vector>

void observe(long long value);

int main() {
    std::vector<std::unique_ptr<int>> from;
    for (int i = 1; i <= 4; ++i) from.push_back(std::make_unique<int>(i * 3));
    std::vector<std::unique_ptr<int>> to(std::make_move_iterator(from.begin() + 1),
                                         std::make_move_iterator(from.end()));
    observe(*to[0] * 10 + *to[2] % 10);
    int nulls = 0;
    for (const auto& p : from)
        if (!p) ++nulls;
    observe(nulls);
    int a[] = {1, 2, 3, 4};
    int number = 0;
    for (auto it = std::rbegin(a); it != std::rend(a); ++it) number = number * 10 + *it;
    observe(number);
    observe(*std::make_reverse_iterator(a + 2));
}

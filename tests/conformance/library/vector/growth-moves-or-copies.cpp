// what it asks: Does reallocation move elements whose move is noexcept and copy those whose move may throw?
#include <vector>

void observe(long long value);

namespace {
int copies = 0;
int moves = 0;
template <bool NoThrow>
struct Item {
    Item() {}
    Item(const Item&) { ++copies; }
    Item(Item&&) noexcept(NoThrow) { ++moves; }
};
}  // namespace
int main() {
    std::vector<Item<true>> safe(3);
    safe.reserve(safe.capacity() + 1);
    observe(copies * 10 + moves);
    std::vector<Item<false>> unsafe(4);
    unsafe.reserve(unsafe.capacity() + 1);
    observe(copies * 10 + moves);
    observe(static_cast<long long>(safe.size() * 10 + unsafe.size()));
}

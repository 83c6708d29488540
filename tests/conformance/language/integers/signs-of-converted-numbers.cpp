#include <cstddef>
void observe(long long value);
int main() {
    observe(~(std::size_t{255}) + 300);
    observe(-std::size_t{5} + 300);
    observe(std::size_t{5} + 300);
    observe(~size_t{255} + 300);
    observe(~std::size_t(255) + 300);
    observe(!std::size_t(255));
    observe(int(255) + 1);
    observe(~int(255));
    observe(~unsigned(255) + 300);
    observe(~static_cast<std::size_t>(255) + 300);
    observe(1 + std::size_t(255));
    observe(1 + long{255});
    return 0;
}

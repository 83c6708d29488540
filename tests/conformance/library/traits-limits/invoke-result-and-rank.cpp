// what it asks: Do invoke_result, rank, extent and underlying_type describe types?
#include <type_traits>

void observe(long long value);

enum class Mode : unsigned char { slow = 3, fast = 9 };
static short narrow(int x) { return static_cast<short>(x); }
int main() {
    auto wide = [](int x) { return x * 2.0; };
    observe(static_cast<long long>(sizeof(std::invoke_result_t<decltype(wide), int>)));
    observe(static_cast<long long>(sizeof(std::invoke_result_t<decltype(&narrow), int>)));
    observe(static_cast<long long>(std::rank_v<int[3][4]> * 100 + std::extent_v<int[3][4], 1>));
    observe(static_cast<std::underlying_type_t<Mode>>(Mode::fast));
    observe(std::is_convertible_v<Mode, int> ? 50 : 60);
    observe(static_cast<long long>(std::alignment_of_v<double> + sizeof(std::underlying_type_t<Mode>)));
}

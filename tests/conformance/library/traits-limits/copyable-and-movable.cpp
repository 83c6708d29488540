// what it asks: Do the traits about copying, moving and triviality follow the class's members?
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

void observe(long long value);

struct Plain {
    int a;
    float b;
};
struct Owner {
    std::unique_ptr<int> p;
};
template <class T>
constexpr int mask() {
    return (std::is_trivially_copyable_v<T> ? 1 : 0) + (std::is_copy_constructible_v<T> ? 2 : 0) +
           (std::is_nothrow_move_constructible_v<T> ? 4 : 0) + (std::is_aggregate_v<T> ? 8 : 0);
}
int main() {
    observe(mask<Plain>());
    observe(mask<Owner>());
    observe(mask<std::string>());
    observe(mask<const int&>() + (std::is_empty_v<std::less<int>> ? 100 : 200));
}

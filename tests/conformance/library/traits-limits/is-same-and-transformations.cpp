// what it asks: Do the type transformations remove, add and decay as they say?
#include <type_traits>

void observe(long long value);

template <class A, class B>
constexpr int same(int weight) { return std::is_same<A, B>::value ? weight : 0; }
int main() {
    observe(same<std::remove_reference_t<int&&>, int>(1) + same<std::remove_const_t<const int*>, int*>(2) +
            same<std::remove_cv_t<const volatile int>, int>(4));
    observe(same<std::decay_t<const int[3]>, const int*>(1) + same<std::decay_t<const int&>, int>(2) +
            same<std::decay_t<int(char)>, int (*)(char)>(4) + 10);
    observe(same<std::conditional_t<(sizeof(long) > 4), char, short>, char>(8) +
            same<std::common_type_t<char, short>, int>(16));
    observe(same<std::make_unsigned_t<long>, unsigned long>(5) + same<std::add_pointer_t<int&>, int*>(50));
}

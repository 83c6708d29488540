// what it asks: Do get by index and by type reach the same members, by reference?
#include <string>
#include <tuple>

void observe(long long value);

int main() {
    std::tuple<int, std::string, char> t{4, "warp", 'c'};
    std::get<0>(t) += 8;
    std::get<std::string>(t) += "32";
    auto copy = t;
    std::get<int>(copy) = 100;
    observe(std::get<int>(t));
    observe(static_cast<long long>(std::get<1>(t).size()));
    observe(std::get<char>(t) - 'a' + std::get<0>(copy));
    observe(static_cast<long long>(std::tuple_size<decltype(t)>::value));
}

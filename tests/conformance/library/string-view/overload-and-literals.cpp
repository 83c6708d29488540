// what it asks: Are view literals, comparison with strings and constexpr use right?
#include <string>
#include <string_view>

void observe(long long value);

using namespace std::string_view_literals;
static int pick(std::string_view) { return 10; }
static int pick(int) { return 20; }
constexpr int code(std::string_view op) {
    if (op == "add"sv) return 3;
    if (op == "mul"sv) return 5;
    return 11;
}
int main() {
    static_assert(code("mul") == 5, "known at compile time");
    std::string s = "add";
    observe(pick(s) + pick('a'));
    observe(code(s));
    observe(code("addx") + code(std::string_view("addx", 3)));
    observe(static_cast<long long>("a\0b"sv.size()));
}

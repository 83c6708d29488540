// what it asks: Does a vector of variants replay its commands in order?
#include <type_traits>
#include <variant>
#include <vector>

void observe(long long value);

struct Push {
    int value;
};
struct Add {};
struct Repeat {
    int times;
};
int main() {
    std::vector<std::variant<Push, Add, Repeat>> program{Push{3}, Push{4}, Add{}, Repeat{3}, Add{}};
    std::vector<int> stack;
    for (const auto& command : program) {
        std::visit(
            [&stack](const auto& c) {
                using C = std::decay_t<decltype(c)>;
                if constexpr (std::is_same_v<C, Push>) {
                    stack.push_back(c.value);
                } else if constexpr (std::is_same_v<C, Add>) {
                    int top = stack.back();
                    stack.pop_back();
                    stack.back() += top;
                } else {
                    for (int i = 1; i < c.times; ++i) stack.push_back(stack.back() * 2);
                }
            },
            command);
    }
    observe(static_cast<long long>(stack.size()));
    observe(stack[0]);
    observe(stack[1]);
}

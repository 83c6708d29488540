// what it asks: A visitor runs the lambda of the alternative that each command in a vector holds.
#include <variant>
#include <vector>

void observe(long long value);

struct Copy {
    int bytes;
};
struct Launch {
    int grid, block;
};
struct Wait {};
using Command = std::variant<Copy, Launch, Wait>;

template <class... Ts>
struct overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

int main() {
    std::vector<Command> commands;
    commands.push_back(Copy{64});
    commands.push_back(Launch{3, 7});
    commands.emplace_back(Wait{});
    int copied = 0, threads = 0, waits = 0;
    for (const auto& command : commands) {
        std::visit(overloaded{[&](const Copy& it) { copied += it.bytes; },
                              [&](const Launch& it) { threads += it.grid * it.block; },
                              [&](const Wait&) { ++waits; }},
                   command);
    }
    observe(copied);
    observe(threads);
    observe(waits);
    observe(commands[1].index());
    Command one = Launch{2, 2};
    if (auto* launch = std::get_if<Launch>(&one)) launch->grid = 9;
    observe(std::get<Launch>(one).grid);
    one = Copy{5};
    observe(std::holds_alternative<Copy>(one) ? 11 : 12);
    observe(std::get_if<Launch>(&one) == nullptr ? 13 : 14);
}

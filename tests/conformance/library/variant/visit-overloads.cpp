// what it asks: Does visit call the overload for the alternative that is held?
#include <string>
#include <variant>

void observe(long long value);

struct Weigh {
    int operator()(int i) const { return i * 2; }
    int operator()(double d) const { return static_cast<int>(d * 10); }
    int operator()(const std::string& s) const { return 1000 + static_cast<int>(s.size()); }
};
int main() {
    std::variant<int, double, std::string> arg = 21;
    observe(std::visit(Weigh{}, arg));
    arg = 1.5;
    observe(std::visit(Weigh{}, arg));
    arg = std::string("float4");
    observe(std::visit(Weigh{}, arg));
    observe(static_cast<long long>(arg.index()));
}

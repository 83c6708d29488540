// what it asks: Do holds_alternative, get_if and get agree on the alternative held?
#include <string>
#include <variant>

void observe(long long value);

int main() {
    std::variant<std::string, int> v;
    observe(static_cast<long long>(v.index()) + 30);
    v = 8;
    if (int* p = std::get_if<int>(&v)) *p *= 7;
    observe(std::get<1>(v));
    observe(std::holds_alternative<std::string>(v) ? 5 : 6);
    int code = 10;
    try {
        code += static_cast<int>(std::get<std::string>(v).size());
    } catch (const std::bad_variant_access&) {
        code += 300;
    }
    observe(code);
}

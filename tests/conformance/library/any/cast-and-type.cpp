// what it asks: Does any keep the type put in, throw on a wrong cast and copy its value?
#include <any>
#include <string>

void observe(long long value);

int main() {
    std::any a = 6;
    std::any b = a;
    std::any_cast<int&>(a) += 60;
    observe(std::any_cast<int>(a));
    observe(std::any_cast<int>(b));
    a = std::string("stream");
    int code = 1;
    try {
        code = std::any_cast<int>(a);
    } catch (const std::bad_any_cast&) {
        code = 90;
    }
    observe(code + static_cast<int>(std::any_cast<const std::string&>(a).size()));
    observe(std::any_cast<long>(&b) == nullptr ? 11 : 12);
    b.reset();
    observe(b.has_value() ? 13 : 14);
}

// what it asks: Do the fill, part, iterator and literal forms build the strings they say?
#include <string>

void observe(long long value);

int main() {
    using namespace std::string_literals;
    std::string fill(6, 'q');
    std::string part("abcdefgh", 3);
    std::string from(part, 1);
    std::string mid(fill.begin() + 2, fill.end());
    auto zero = "x\0y"s;
    observe(static_cast<long long>(fill.size()));
    observe(static_cast<long long>(part.size() * 10 + from.size()));
    observe(static_cast<long long>(mid.size() * 10 + zero.size()));
    observe(from[0] - 'a' + 90);
}

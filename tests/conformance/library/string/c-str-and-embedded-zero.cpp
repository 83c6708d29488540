// what it asks: Does size count an embedded zero while strlen of c_str stops at it?
#include <cstring>
#include <string>

void observe(long long value);

int main() {
    std::string s("ab\0cd", 5);
    observe(static_cast<long long>(s.size()));
    observe(static_cast<long long>(std::strlen(s.c_str())));
    std::string t = s.c_str();
    observe(static_cast<long long>(t.size() * 10 + (s + t).size()));
    observe(s == t ? 70 : 71);
}

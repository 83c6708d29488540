// what it asks: Do +, += and append with counts and parts join in order?
#include <string>

void observe(long long value);

int main() {
    std::string s = "ab";
    s += 'c';
    s += "de";
    s.append(3, 'x').append("12345", 2);
    observe(static_cast<long long>(s.size()));
    observe(s[5] - 'a');
    std::string t = s + "z";
    t.append(s, 0, 2);
    observe(static_cast<long long>(t.size()));
    observe(t.back() - 'a' + 10);
    observe(static_cast<long long>(t.find("xx1") * 10 + t.find('z') % 10));
}

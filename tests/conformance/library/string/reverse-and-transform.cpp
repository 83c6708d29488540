// what it asks: Do algorithms on a string's iterators change its characters in place?
#include <algorithm>
#include <cctype>
#include <string>

void observe(long long value);

int main() {
    std::string s = "gpu01";
    std::reverse(s.begin(), s.end());
    observe(s[0] - '0' + 20);
    std::transform(s.begin(), s.end(), s.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    observe(s == "10UPG" ? 5 : 6);
    observe(std::count_if(s.begin(), s.end(), [](unsigned char c) { return std::isdigit(c) != 0; }));
    std::sort(s.begin(), s.end());
    observe(s.front() == '0' && s.back() == 'U' ? 9 : 8);
}

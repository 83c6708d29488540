// what it asks: Does a changed copy leave the first string alone, short or long?
#include <string>

void observe(long long value);

int main() {
    std::string text(40, 'k');
    std::string copy = text;
    copy[39] = 'm';
    copy.push_back('n');
    const std::string& alias = text;
    text.resize(30);
    observe(static_cast<long long>(alias.size()));
    observe(static_cast<long long>(copy.size()));
    observe(copy[39] - alias[29]);
    std::string small = "hi";
    std::string other = small;
    other[0] = 'o';
    observe((small == "hi" ? 3 : 4) * 10 + static_cast<long long>(other.find('i')));
}

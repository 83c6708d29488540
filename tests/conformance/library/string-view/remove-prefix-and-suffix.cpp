// what it asks: Do remove_prefix and remove_suffix narrow the view only?
#include <string>
#include <string_view>

void observe(long long value);

int main() {
    const std::string text = "[[shape: 3x5]]";
    std::string_view v = text;
    v.remove_prefix(2);
    v.remove_suffix(2);
    observe(static_cast<long long>(v.size() * 100 + text.size()));
    v.remove_prefix(v.find(' ') + 1);
    int rows = v[0] - '0';
    int cols = v[v.find('x') + 1] - '0';
    observe(rows * 10 + cols);
    observe(v == "3x5" ? 12 : 13);
}

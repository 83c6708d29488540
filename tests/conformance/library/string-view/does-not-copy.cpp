// what it asks: Does a view see later changes of the characters it views?
#include <string>
#include <string_view>

void observe(long long value);

int main() {
    std::string s = "a1b2";
    std::string_view view = s;
    std::string copy(view);
    s[1] = '7';
    observe(view[1] - '0');
    observe(copy[1] - '0');
    std::string_view tail = view.substr(2);
    s[3] = '9';
    observe(tail[1] - '0');
    observe(tail.data() - s.data());
}

// what it asks: Does a hand-written recursive parser over a string evaluate with precedence?
#include <string>

void observe(long long value);

struct Parser {
    const std::string& text;
    std::size_t at = 0;
    int number() {
        if (text[at] == '(') {
            ++at;
            int v = sum();
            ++at;
            return v;
        }
        int v = 0;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9') v = v * 10 + (text[at++] - '0');
        return v;
    }
    int product() {
        int v = number();
        while (at < text.size() && text[at] == '*') {
            ++at;
            v *= number();
        }
        return v;
    }
    int sum() {
        int v = product();
        while (at < text.size() && (text[at] == '+' || text[at] == '-')) {
            char op = text[at++];
            int r = product();
            v = op == '+' ? v + r : v - r;
        }
        return v;
    }
};
int main() {
    std::string e = "2+3*(10-4)*2-5";
    Parser p{e};
    observe(p.sum());
    observe(static_cast<long long>(p.at));
    e = "7*(2+2)";
    observe(Parser{e}.sum());
}

// what it asks: Do braces prefer the initializer_list constructor and parentheses the other?
#include <initializer_list>

void observe(long long value);

struct Shape {
    int code;
    Shape(int a, int b) : code(a * 100 + b) {}
    Shape(std::initializer_list<int> l) : code(7000) {
        for (int x : l) code += x;
    }
    Shape() : code(5) {}
};
int main() {
    Shape a(2, 3);
    Shape b{2, 3};
    Shape c{};
    Shape d = {1, 2, 3};
    observe(a.code);
    observe(b.code);
    observe(c.code);
    observe(d.code);
}

// what it asks: Do braces prefer an initializer-list constructor where parentheses take the other?
#include <initializer_list>
#include <vector>

void observe(long long value);

struct Sum {
    int v;
    Sum(int a, int b) : v(a * b) {}
    Sum(std::initializer_list<int> l) : v(static_cast<int>(l.size()) * 100) {
        for (int x : l) v += x;
    }
};
static int largest(std::initializer_list<int> l) {
    int best = -1;
    for (const int* p = l.begin(); p != l.end(); ++p) best = *p > best ? *p : best;
    return best;
}

int main() {
    observe(Sum(6, 7).v);
    observe(Sum{6, 7}.v);
    observe(largest({4, 19, 8}));
    std::vector<int> a(5, 3), b{5, 3};
    observe(static_cast<int>(a.size()) * 10 + static_cast<int>(b.size()));
    observe(a[0] * 10 + b[0]);
}

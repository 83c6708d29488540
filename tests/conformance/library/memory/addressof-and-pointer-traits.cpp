// what it asks: Does addressof pass by an overloaded operator& and give the object itself?
#include <memory>

void observe(long long value);

struct Odd {
    int value;
    Odd* twin;
    Odd* operator&() { return twin; }
};
int main() {
    Odd b{20, nullptr};
    Odd a{3, std::addressof(b)};
    (&a)->value += 5;
    std::addressof(a)->value += 100;
    observe(a.value);
    observe(b.value);
    int data[4] = {1, 2, 3, 4};
    int* p = std::pointer_traits<int*>::pointer_to(data[2]);
    *p += 30;
    observe(data[2] + *(p - 1));
}

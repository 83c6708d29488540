// what it asks: Does a copied std::function carry a copy of its lambda's own state?
#include <functional>

void observe(long long value);

int main() {
    int shared = 0;
    std::function<int()> next = [n = 10, &shared]() mutable {
        ++shared;
        return ++n;
    };
    next();
    next();
    auto copy = next;
    next();
    observe(next());
    observe(copy());
    observe(shared);
}

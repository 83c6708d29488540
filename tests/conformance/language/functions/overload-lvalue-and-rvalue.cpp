// what it asks: Do lvalue and rvalue arguments choose different reference overloads?
#include <utility>

void observe(long long value);

static int which(int&) { return 1; }
static int which(const int&) { return 20; }
static int which(int&&) { return 300; }
static int make() { return 5; }

int main() {
    int a = 0;
    const int b = 0;
    int&& named = 7;
    observe(which(a));
    observe(which(b));
    observe(which(make()));
    observe(which(named));
    observe(which(std::move(a)) + which(static_cast<const int&>(a)));
}

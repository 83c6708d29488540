// what it asks: Does bind fix and reorder arguments, copying the bound ones unless by ref?
#include <functional>

void observe(long long value);

static int join(int a, int b, int c) { return a * 100 + b * 10 + c; }
static void add(int& out, int v) { out += v; }
int main() {
    using namespace std::placeholders;
    auto swapped = std::bind(join, _2, 5, _1);
    observe(swapped(1, 2));
    int total = 7;
    auto lost = std::bind(add, total, _1);
    auto kept = std::bind(add, std::ref(total), _1);
    lost(1000);
    observe(total);
    kept(20);
    observe(total);
}

// what it asks: Does calling an empty std::function throw, and assigning nullptr empty it?
#include <functional>

void observe(long long value);

int main() {
    int runs = 0;
    std::function<void()> f = [&runs] { runs += 3; };
    f();
    std::function<void()> g;
    g.swap(f);
    g();
    observe(runs);
    try {
        f();
        runs += 100;
    } catch (const std::bad_function_call&) {
        runs += 40;
    }
    observe(runs);
    g = nullptr;
    observe(g ? 8 : 9);
}

// what it asks: Does a shared_ptr's deleter run exactly once, when the last copy goes?
#include <memory>

void observe(long long value);

int main() {
    int log = 0;
    int resource = 6;
    {
        std::shared_ptr<int> a(&resource, [&log](int* p) { log = log * 10 + *p; });
        std::shared_ptr<int> b = a;
        a.reset();
        observe(log + b.use_count() * 50);
        *b = 8;
        a = b;
    }
    observe(log);
    std::shared_ptr<void> guard(nullptr, [&log](void*) { log += 100; });
    guard.reset();
    observe(log);
}

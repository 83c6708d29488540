// what it asks: Does a unique_ptr turned into a shared_ptr hand over its pointee and deleter?
#include <memory>
#include <utility>

void observe(long long value);

int main() {
    int deleted = 0;
    auto del = [&deleted](int* p) {
        deleted += *p;
        delete p;
    };
    std::unique_ptr<int, decltype(del)> sole(new int(33), del);
    std::shared_ptr<int> shared = std::move(sole);
    observe(sole ? 4 : 5);
    auto second = shared;
    *second += 1;
    shared.reset();
    observe(deleted + second.use_count());
    second.reset();
    observe(deleted);
}

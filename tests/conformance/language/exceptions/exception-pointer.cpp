// what it asks: Does a stored exception_ptr rethrow the same value later and more than once?
#include <exception>

void observe(long long value);

static int reraise(const std::exception_ptr& p) {
    try {
        if (p) {
            std::rethrow_exception(p);
        }
        return -1;
    } catch (int& e) {
        return e;
    } catch (...) {
        return 5000;
    }
}

int main() {
    std::exception_ptr p;
    observe(reraise(p));
    try {
        throw 64;
    } catch (...) {
        p = std::current_exception();
    }
    observe(reraise(p));
    observe(reraise(p) + reraise(nullptr));
    p = std::make_exception_ptr(2.5);
    observe(reraise(p));
}

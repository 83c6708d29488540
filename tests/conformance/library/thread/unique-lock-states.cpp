// what it asks: Does unique_lock own, release and hand on its lock as asked?
#include <mutex>
#include <utility>

void observe(long long value);

int main() {
    std::mutex m;
    std::unique_lock<std::mutex> a(m);
    observe(a.owns_lock() ? 5 : 6);
    std::unique_lock<std::mutex> b = std::move(a);
    observe((a.owns_lock() ? 10 : 20) + (b.owns_lock() ? 1 : 2));
    b.unlock();
    std::unique_lock<std::mutex> c(m, std::defer_lock);
    observe((b.owns_lock() ? 10 : 20) + (c.owns_lock() ? 1 : 2));
    c.lock();
    observe((c ? 30 : 40) + (a.mutex() == nullptr ? 7 : 8));
    std::mutex* freed = c.release();
    freed->unlock();
    observe((c ? 30 : 40) + (freed == &m ? 1 : 2));
}

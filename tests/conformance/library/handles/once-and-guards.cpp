// what it asks: What is made once, under a lock, is made once.
#include <memory>
#include <mutex>
#include <shared_mutex>

void observe(long long value);

static int live = 0, made = 0;

struct Stream {
    int id;
    Stream() : id(++made) { ++live; }
    ~Stream() { --live; }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
};

class Context {
public:
    Stream& stream() {
        std::call_once(once, [this] { held = std::make_unique<Stream>(); });
        return *held;
    }
    int uses() {
        std::lock_guard<std::mutex> guard(mutex);
        return ++count;
    }
    int peek() const {
        std::shared_lock lock(shared);
        return count;
    }

private:
    std::once_flag once;
    std::unique_ptr<Stream> held;
    std::mutex mutex;
    mutable std::shared_mutex shared;
    int count = 0;
};

Context& instance() {
    static Context context;
    return context;
}

int main() {
    observe(live);
    observe(instance().stream().id);
    observe(instance().stream().id);
    observe(live);
    instance().uses();
    observe(instance().uses());
    observe(instance().peek());
    std::mutex a, b;
    int steps = 0;
    {
        std::scoped_lock both(a, b);
        steps += 4;
    }
    std::unique_lock<std::mutex> lock(a, std::defer_lock);
    lock.lock();
    steps *= 3;
    lock.unlock();
    observe(steps);
}

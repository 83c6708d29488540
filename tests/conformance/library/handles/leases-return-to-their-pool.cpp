// what it asks: A shared pointer's deleter gives what it holds back to the pool it came from.
#include <deque>
#include <memory>
#include <mutex>

void observe(long long value);

class Pool {
public:
    Pool() {
        for (int i = 0; i < 3; ++i) {
            slots[i] = 10 * (i + 1);
            idle.push_back(&slots[i]);
        }
    }
    std::shared_ptr<int> lease() {
        std::unique_lock lock(mutex);
        int* slot = idle.front();
        idle.pop_front();
        return {slot, [this](int* p) { give_back(p); }};
    }
    int size() const { return static_cast<int>(idle.size()); }
    int next() const { return *idle.front(); }

private:
    void give_back(int* slot) {
        std::lock_guard lock(mutex);
        idle.push_back(slot);
    }
    int slots[3];
    std::deque<int*> idle;
    std::mutex mutex;
};

int main() {
    Pool pool;
    {
        const auto first = pool.lease();
        observe(*first);
        observe(pool.size());
        {
            const auto second = pool.lease();
            observe(*second);
            observe(pool.size());
        }
        observe(pool.size());
        observe(pool.next());
    }
    observe(pool.size());
    auto third = pool.lease();
    observe(*third);
    third.reset();
    observe(pool.size());
}

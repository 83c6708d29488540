// What the built-in numbers can hold, and sizes that are compared with it.
#include <cstddef>
#include <cstdint>
#include <limits>

void observe(long long value);

struct Queue {
    explicit Queue(std::size_t limit = std::numeric_limits<std::size_t>::max()) : limit_(limit) {}
    bool has_room() const { return held_ < limit_; }
    std::size_t limit_;
    std::size_t held_ = 3;
};

template <class T>
long long widest() {
    return std::numeric_limits<T>::max();
}

int main() {
    observe(std::numeric_limits<int>::max());
    observe(std::numeric_limits<int>::min());
    observe(std::numeric_limits<int>::lowest());
    observe(std::numeric_limits<unsigned>::max());
    observe(std::numeric_limits<unsigned>::min());
    observe(std::numeric_limits<short>::min());
    observe(std::numeric_limits<unsigned short>::max());
    observe(std::numeric_limits<char>::max());
    observe(std::numeric_limits<std::uint8_t>::max());
    observe(std::numeric_limits<std::int64_t>::max());
    observe(std::numeric_limits<std::int64_t>::min());
    observe(std::numeric_limits<long>::max() > 5);
    observe(std::numeric_limits<float>::max() > 1.0f);
    observe(std::numeric_limits<double>::lowest() < 0.0);
    observe(widest<short>());
    observe(widest<std::int32_t>());
    Queue endless;
    observe(endless.has_room());
    Queue small(2);
    observe(small.has_room());
    std::size_t best = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 4; i < 7; ++i) {
        if (i < best) {
            best = i;
        }
    }
    observe(best);
}

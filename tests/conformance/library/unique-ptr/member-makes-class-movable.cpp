// what it asks: Does a class owning a buffer by unique_ptr move it and leave the source with null?
#include <memory>
#include <utility>

void observe(long long value);

struct DeviceBuffer {
    std::unique_ptr<int[]> data;
    int size = 0;
    explicit DeviceBuffer(int n) : data(new int[n]{}), size(n) {}
    DeviceBuffer(DeviceBuffer&& o) noexcept : data(std::move(o.data)), size(std::exchange(o.size, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& o) noexcept {
        data = std::move(o.data);
        size = std::exchange(o.size, -1);
        return *this;
    }
};
int main() {
    DeviceBuffer a(8);
    a.data[7] = 70;
    DeviceBuffer b(std::move(a));
    observe(a.size + (a.data ? 5 : 6));
    observe(b.size * 100 + b.data[7]);
    DeviceBuffer c(3);
    c = std::move(b);
    observe(c.size * 100 + c.data[7]);
    observe(b.size + (b.data ? 30 : 40));
}

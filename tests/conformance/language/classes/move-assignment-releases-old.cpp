// what it asks: Does move assignment release what the target held before it takes the source's resource?
#include <utility>

void observe(long long value);

static int released = 0;
struct Handle {
    int id;
    explicit Handle(int i) : id(i) {}
    Handle(Handle&& o) noexcept : id(std::exchange(o.id, 0)) {}
    Handle& operator=(Handle&& o) noexcept {
        if (this != &o) {
            reset();
            id = std::exchange(o.id, 0);
        }
        return *this;
    }
    void reset() {
        if (id) released = released * 10 + id;
        id = 0;
    }
    ~Handle() { reset(); }
};

int main() {
    {
        Handle a(1), b(2), c(3);
        a = std::move(b);
        observe(released);
        observe(a.id * 10 + b.id);
        b = Handle(4);
        c = std::move(a);
        observe(released);
        observe(c.id);
    }
    observe(released);
}

// what it asks: A move constructor that exchanges leaves the other one empty.
#include <utility>
#include <vector>

void observe(long long value);

static int closed = 0;

class Handle {
public:
    explicit Handle(int id) : id_(id) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
        if (this != &other) {
            close();
            id_ = std::exchange(other.id_, 0);
        }
        return *this;
    }
    ~Handle() { close(); }
    int id() const { return id_; }
    int release() { return std::exchange(id_, 0); }

private:
    void close() {
        if (id_) closed = closed * 10 + id_;
    }
    int id_;
};

int main() {
    Handle a(1);
    Handle b(std::move(a));
    observe(a.id());
    observe(b.id());
    Handle c(2);
    c = std::move(b);
    observe(closed);
    observe(c.id());
    {
        std::vector<Handle> handles;
        handles.reserve(2);
        handles.emplace_back(3);
        handles.push_back(Handle(4));
        observe(closed);
    }
    observe(closed);
    observe(c.release());
    observe(c.id());
}

// what it asks: Does the pointee die when the scope ends, in reverse order of making?
#include <memory>

void observe(long long value);

namespace {
int trace = 0;
struct Buffer {
    int id;
    explicit Buffer(int i) : id(i) {}
    ~Buffer() { trace = trace * 10 + id; }
};
}  // namespace
int main() {
    {
        auto a = std::make_unique<Buffer>(1);
        std::unique_ptr<Buffer> b(new Buffer(2));
        observe(trace + a->id * 100 + b->id);
    }
    observe(trace);
    std::make_unique<Buffer>(7);
    observe(trace);
}

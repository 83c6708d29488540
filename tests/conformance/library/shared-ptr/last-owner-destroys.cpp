// what it asks: Is the object destroyed with its last owner and not before?
#include <memory>
#include <vector>

void observe(long long value);

namespace {
int destroyed = 0;
struct Pool {
    int id;
    explicit Pool(int i) : id(i) {}
    ~Pool() { destroyed += id; }
};
}  // namespace
int main() {
    std::vector<std::shared_ptr<Pool>> owners(3, std::make_shared<Pool>(7));
    std::shared_ptr<Pool> extra = owners[1];
    owners.clear();
    observe(destroyed * 10 + extra.use_count());
    extra = std::make_shared<Pool>(20);
    observe(destroyed);
    extra.reset();
    observe(destroyed);
}

// what it asks: A ring of shared pointers lets the old one go when a slot is used again.
#include <array>
#include <memory>
#include <vector>

void observe(long long value);

static int live = 0, made = 0;

struct Stream {
    int id;
    Stream() : id(++made) { ++live; }
    ~Stream() { --live; }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
};

int main() {
    std::array<std::shared_ptr<Stream>, 2> ring;
    for (int i = 0; i < 5; ++i) ring[i % ring.size()] = std::make_shared<Stream>();
    observe(live);
    observe(ring[0]->id);
    observe(ring[1]->id);
    std::vector<std::shared_ptr<Stream>> users(3, ring[0]);
    observe(ring[0].use_count());
    ring[0].reset();
    observe(live);
    users.resize(1);
    observe(users[0].use_count());
    users.clear();
    observe(live);
    std::weak_ptr<Stream> watch = ring[1];
    observe(watch.expired() ? 1 : 2);
    if (auto held = watch.lock()) observe(held->id);
    ring[1] = nullptr;
    observe(watch.expired() ? 1 : 2);
    observe(live);
}

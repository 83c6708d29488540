// what it asks: Unique pointers in structs in a vector end with the element that is erased.
#include <memory>
#include <utility>
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

struct Lane {
    std::unique_ptr<Stream> stream;
    int weight = 0;
};

int main() {
    std::vector<Lane> lanes;
    for (int i = 0; i < 3; ++i) lanes.push_back(Lane{std::make_unique<Stream>(), 10 * i});
    observe(live);
    observe(lanes[2].stream->id);
    lanes.erase(lanes.begin() + 1);
    observe(live);
    observe(lanes[1].weight);
    observe(lanes[1].stream->id);
    lanes.pop_back();
    observe(live);
    Lane kept = std::move(lanes.front());
    lanes.clear();
    observe(live);
    observe(kept.stream->id);
}

// what it asks: An array of objects that own something makes and ends each of them.
#include <array>
#include <memory>

void observe(long long value);

static int live = 0, made = 0;

struct Stream {
    int id;
    Stream() : id(++made) { ++live; }
    ~Stream() { --live; }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
};

struct Engine {
    std::array<Stream, 3> streams;
    std::array<std::unique_ptr<int>, 2> slots;
    int next = 0;
    Stream& pick() { return streams[next++ % streams.size()]; }
};

int main() {
    {
        Engine engine;
        observe(live);
        observe(engine.pick().id);
        observe(engine.pick().id);
        observe(engine.pick().id);
        observe(engine.pick().id);
        int sum = 0;
        for (auto& stream : engine.streams) sum += stream.id;
        observe(sum);
        engine.slots[1] = std::make_unique<int>(42);
        observe(*engine.slots[1]);
        observe(engine.slots[0] == nullptr ? 3 : 4);
        observe(engine.streams.back().id);
    }
    observe(live);
}

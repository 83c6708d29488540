// what it asks: An optional member that owns something is made and ended by emplace, reset and assignment.
#include <optional>
#include <utility>

void observe(long long value);

static int live = 0, made = 0;

struct Stream {
    int id;
    Stream() : id(++made) { ++live; }
    ~Stream() { --live; }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
};

class Session {
public:
    void open() { stream.emplace(); }
    void close() { stream.reset(); }
    bool is_open() const { return stream.has_value(); }
    int id() const { return stream ? stream->id : -1; }

private:
    std::optional<Stream> stream;
};

std::optional<int> slot_of(int key) {
    if (key < 0) return std::nullopt;
    return key * 2;
}

int main() {
    Session session;
    observe(session.id());
    session.open();
    observe(session.id());
    observe(live);
    session.open();
    observe(live);
    observe(session.id());
    session.close();
    observe(live);
    observe(session.is_open() ? 5 : 6);
    observe(slot_of(4).value_or(-3));
    observe(slot_of(-4).value_or(-3));
    if (auto slot = slot_of(6)) observe(*slot);
}

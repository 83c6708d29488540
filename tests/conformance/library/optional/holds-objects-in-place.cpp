// what it asks: Are the held object's constructions and destructions those of emplace, assignment and reset?
#include <optional>

void observe(long long value);

namespace {
int made = 0;
int dead = 0;
struct Session {
    int id;
    explicit Session(int i) : id(i) { ++made; }
    Session(const Session& o) : id(o.id) { ++made; }
    ~Session() { ++dead; }
};
}  // namespace
int main() {
    {
        std::optional<Session> s;
        observe(made * 10 + dead + 5);
        s.emplace(4);
        s.emplace(9);
        observe(made * 10 + dead);
        auto t = s;
        s.reset();
        observe(made * 100 + dead * 10 + t->id);
    }
    observe(made * 10 + dead);
}

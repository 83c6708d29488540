// what it asks: Does an element that is made in place take the constructor that the types of the arguments mean?
#include <memory>
#include <optional>
#include <vector>

void observe(long long value);

struct View {
    int id;
    View(int it) : id(it) {}
};
struct Held {
    int kind;
    int id;
    Held(unsigned long size, View view) : kind(1), id(view.id) {}
    template <class Resource> Held(unsigned long size, View view, Resource &&) : kind(2), id(view.id) {}
    Held(const Held &other, View view) : kind(3), id(view.id) {}
    Held(const Held &other) = delete;
    Held(Held &&other) : kind(other.kind), id(other.id) {}
};

void make(int n, View view) {
    std::vector<Held> all;
    all.reserve(3);
    all.emplace_back(n, view);
    all.emplace_back(n, view, 4.0f);
    all.emplace_back(all[0], View(8));
    observe(all[0].kind * 10 + all[0].id);
    observe(all[1].kind * 10 + all[1].id);
    observe(all[2].kind * 10 + all[2].id);
    auto one = std::make_unique<Held>(n, view);
    observe(one->kind * 10 + one->id);
    std::optional<Held> maybe;
    maybe.emplace(n, view);
    observe(maybe->kind * 10 + maybe->id);
}

int main() {
    make(3, View(7));
}

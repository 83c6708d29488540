// what it asks: Do objects in pairs and tuples move in and out, and end exactly once?
#include <tuple>
#include <utility>
#include <vector>

void observe(long long value);

static int made, ended;

struct Held {
    int value;
    explicit Held(int it) : value(it) { ++made; }
    Held(Held &&other) : value(other.value) { other.value = 0; }
    Held(const Held &) = delete;
    ~Held() {
        if (value != 0) ++ended;
    }
};

auto three(int a, int b) {
    Held first(a), second(b);
    return std::make_tuple(std::move(first), std::move(second), a + b);
}

std::pair<Held, Held> two(int a, int b) {
    Held first(a), second(b);
    return std::pair{std::move(first), std::move(second)};
}

std::pair<Held, Held> handed_back() {
    auto pair = two(1, 2);
    pair.first.value += 10;
    return pair;
}

std::vector<Held> list() {
    std::vector<Held> all;
    all.reserve(2);
    all.emplace_back(1);
    all.push_back(Held(2));
    return all;
}

int main() {
    {
        auto parts = three(1, 2);
        observe(ended);
        observe(std::get<0>(parts).value * 100 + std::get<1>(parts).value * 10 + std::get<2>(parts));
    }
    observe(made * 10 + ended);
    {
        auto [a, b] = two(3, 4);
        observe(a.value * 10 + b.value);
        observe(ended);
    }
    observe(ended);
    {
        auto const &[a, b] = two(5, 6);
        observe(a.value * 10 + b.value);
    }
    observe(ended);
    {
        auto pair = two(7, 8);
        auto other = std::move(pair);
        Held out = std::move(other.first);
        observe(out.value * 10 + other.second.value);
        observe(ended);
    }
    observe(ended);
    {
        auto pair = handed_back();
        observe(pair.first.value + pair.second.value);
    }
    observe(ended);
    {
        Held one(9);
        std::pair<Held, int> pair(std::move(one), 3);
        observe(one.value * 100 + pair.first.value * 10 + pair.second);
    }
    observe(ended);
    {
        auto all = list();
        observe(all[0].value * 10 + all[1].value);
    }
    observe(made * 100 + ended);
}

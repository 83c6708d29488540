// what it asks: Is an object made by a conversion operator wherever one of another class is wanted?
#include <memory>
#include <vector>

void observe(long long value);

static int converted = 0;

class Ref {
    int number_ = -1;

public:
    Ref() = default;
    Ref(int number) : number_(number) {}
    int number() const { return number_; }
};

class Owner {
    int number_;

public:
    explicit Owner(int number) : number_(number) {}
    operator Ref() const {
        ++converted;
        return Ref{number_};
    }
    int code() const { return number_ * 100; }
};

struct Keeper {
    Ref first, second;
    Keeper(const Owner& one, const Owner& other) : first{one}, second(other) {}
};

struct Pair {
    Ref ref;
    int more;
};

class Special {
    int number_;

public:
    template <typename T> explicit Special(const T& from) : number_(from.code()) {}
    int number() const { return number_; }
};

static int by_value(int more, Ref ref) { return ref.number() + more; }
static int by_reference(const Ref& ref) { return ref.number(); }
static int by_rvalue(Ref&& ref) { return ref.number(); }
static Ref given_back(const Owner& owner) { return owner; }
static int sum(const std::vector<Ref>& all) {
    int found = 0;
    for (const Ref& ref : all) found = found * 10 + ref.number();
    return found;
}

template <typename T> struct Box {
    T held;
    Box(int, T value) : held(value) {}
    int both(T other) const { return held.number() * 10 + other.number(); }
};

int main() {
    Owner one(1), two(2);
    observe(by_value(10, one));
    observe(by_reference(two));
    observe(by_rvalue(two));
    Ref a = one, b{two}, c(one), d;
    d = two;
    observe(a.number() * 1000 + b.number() * 100 + c.number() * 10 + d.number());
    observe(given_back(two).number());
    Keeper keeper(one, two);
    observe(keeper.first.number() * 10 + keeper.second.number());
    Pair pair{two, 5};
    observe(pair.ref.number() + pair.more);
    observe(sum({one, two, one}));
    std::vector<Ref> all{two, one};
    all.push_back(two);
    all.emplace_back(one);
    observe(sum(all));
    auto box = std::make_unique<Box<Ref>>(0, two);
    observe(box->both(one));
    observe(Special(two).number());
    auto twice = [](Ref ref) { return ref.number() * 2; };
    observe(twice(two));
    observe(converted);
}

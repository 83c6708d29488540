// what it asks: Is a class that is made of another one, which is made of the first, taken by the overload for it?
void observe(long long value);

struct Metre;
struct Foot {
    int value;
    Foot(int value) : value(value) {}
    Foot(Metre const& other);
};
struct Metre {
    int value;
    Metre(int value) : value(value) {}
    Metre(Foot const& other) : value(other.value / 3) {}
};
Foot::Foot(Metre const& other) : value(other.value * 3) {}
struct Bag {
    int weight;
};

int put(Foot, int) { return 100; }
int put(Bag, int) { return 200; }

int main() {
    Metre metre(4);
    Foot foot(5);
    observe(put(metre, 1));
    observe(put(foot, 1));
    observe(put(Bag{6}, 1));
}

// what it asks: Does an object that was moved from end like any other?
#include <utility>

void observe(long long value);

int ended = 0;

struct Counted {
    long long id;
    ~Counted() { ended += 1; }
};

Counted made(long long id) {
    Counted it{id};
    return it;
}

int main() {
    for (int i = 0; i < 3; ++i) {
        Counted first{i};
        Counted second = std::move(first);
        observe(second.id);
        observe(ended);
    }
    observe(ended);
    {
        Counted third = made(4);
        observe(third.id);
    }
    observe(ended);
    return 0;
}

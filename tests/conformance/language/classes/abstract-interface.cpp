// what it asks: Do implementations of a pure virtual interface run through a base pointer, with deletes in order?
#include <memory>

void observe(long long value);

static int gone = 0;
struct Stage {
    virtual ~Stage() { gone += 1; }
    virtual int run(int v) = 0;
};
struct Scale : Stage {
    int k;
    explicit Scale(int f) : k(f) {}
    ~Scale() override { gone += 10; }
    int run(int v) override { return v * k; }
};
struct Shift : Stage {
    int calls = 0;
    int run(int v) override { return v + ++calls; }
};

int main() {
    std::unique_ptr<Stage> stages[3];
    stages[0] = std::make_unique<Scale>(5);
    stages[1] = std::make_unique<Shift>();
    stages[2] = std::make_unique<Scale>(2);
    int v = 3;
    for (auto& s : stages) v = s->run(v);
    observe(v);
    observe(stages[1]->run(100));
    stages[0] = std::make_unique<Shift>();
    observe(gone);
    stages[2].reset();
    observe(gone);
}

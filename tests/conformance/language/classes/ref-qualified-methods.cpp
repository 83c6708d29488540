// what it asks: Do ref-qualified members distinguish lvalues from temporaries?
#include <utility>

void observe(long long value);

struct Text {
    int n;
    int take() & { return n; }
    int take() const& { return n + 100; }
    int take() && {
        int r = n + 1000;
        n = -1;
        return r;
    }
};

int main() {
    Text t{5};
    const Text c{6};
    observe(t.take());
    observe(c.take());
    observe(Text{7}.take());
    observe(std::move(t).take());
    observe(t.n);
}

// what it asks: Unique pointers run their function objects, function pointers and lambdas.
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

static int log = 0;

struct Close {
    int scale = 1;
    void operator()(int* p) const {
        log += scale * *p;
        delete p;
    }
};
void finish(int* p) {
    log += 100 * *p;
    delete p;
}
using Plain = std::unique_ptr<int, Close>;
using Pointer = std::unique_ptr<int, void (*)(int*)>;

struct Pair {
    Plain one{new int(3)};
    Pointer two{new int(4), finish};
};

Pointer make(int n) { return {new int(n), [](int* p) { log += 1000 * *p; delete p; }}; }

int main() {
    {
        Pair pair;
        observe(*pair.one + *pair.two);
    }
    observe(log);
    {
        auto made = make(2);
        Pointer other = std::move(made);
        observe(made == nullptr ? 1 : 2);
        observe(*other);
    }
    observe(log);
    std::vector<Plain> all;
    all.emplace_back(new int(5));
    all.emplace_back(new int(6), Close{10});
    all.erase(all.begin());
    observe(log);
    all[0].reset(new int(7));
    observe(log);
    delete all[0].release();
    all.clear();
    observe(log);
}

// what it asks: When the constructor of an array's element throws, are the earlier elements destroyed again?
#include <memory>

void observe(long long value);

struct Elem {
    static int made, gone, limit;
    Elem() {
        if (made == limit) throw 42;
        ++made;
    }
    Elem(const Elem&) = delete;
    ~Elem() { ++gone; }
};
int Elem::made = 0;
int Elem::gone = 0;
int Elem::limit = 3;

int main() {
    int caught = 0;
    try {
        std::unique_ptr<Elem[]> p(new Elem[8]);
        caught = -1;
    } catch (int e) {
        caught = e;
    }
    observe(caught);
    observe(Elem::made * 10 + Elem::gone);
    Elem::limit = 100;
    {
        std::unique_ptr<Elem[]> p(new Elem[8]);
        observe(Elem::made * 10 + Elem::gone);
    }
    observe(Elem::gone);
}

// what it asks: How many objects are alive as a vector of them is filled, erased and cleared?
#include <vector>

void observe(long long value);

struct Obj {
    static int alive;
    int id;
    explicit Obj(int i) : id(i) { ++alive; }
    Obj(const Obj& o) : id(o.id) { ++alive; }
    Obj& operator=(const Obj& o) = default;
    ~Obj() { --alive; }
};
int Obj::alive = 0;

int main() {
    std::vector<Obj> v;
    for (int i = 0; i < 9; ++i) v.emplace_back(i * 5);
    observe(Obj::alive);
    v.erase(v.begin() + 2);
    observe(v[2].id * 10 + Obj::alive);
    {
        std::vector<Obj> w(v.begin(), v.begin() + 3);
        observe(Obj::alive);
    }
    v.pop_back();
    observe(Obj::alive);
    v.clear();
    observe(Obj::alive);
}

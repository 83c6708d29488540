// what it asks: Does every copy of an object that shares something end once, and say how many share it?
#include <memory>
void observe(long long value);
static int dead = 0, given = 0;
struct A {
    std::shared_ptr<int> p;
    A() { p.reset(new int(7)); }
    A(const A&) = default;
    A(A&&) = default;
    ~A() { ++dead; if (p && p.use_count() == 1) ++given; }
    A slice() const { A v(*this); return v; }
    A plain() const { return *this; }
};
static int side(A x) { return x.p.use_count(); }
static A make() { A t; return t; }
int main() {
    {
        A a;
        observe(a.p.use_count());
        { A b(a); observe(a.p.use_count()); }
        observe(dead); observe(given);
        { A c = a.plain(); observe(a.p.use_count()); }
        observe(dead); observe(given);
        { A c = a.slice(); observe(a.p.use_count()); }
        observe(dead); observe(given);
        observe(side(a));
        observe(dead); observe(given);
        observe(side(a.plain()));
        observe(dead); observe(given);
        observe(side(a.slice()));
        observe(dead); observe(given);
        a.plain();
        observe(dead); observe(given);
        A d = make();
        observe(d.p.use_count());
        A e = std::move(d);
        observe(e.p.use_count());
        observe(dead); observe(given);
    }
    observe(dead); observe(given);
}

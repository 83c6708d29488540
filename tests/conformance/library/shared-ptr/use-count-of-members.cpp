// what it asks: How often is what a member points to owned, through constructors, copies and ends?
#include <memory>
void observe(long long value);
struct A { std::shared_ptr<int> p; };
struct B { std::shared_ptr<int> p; B() { p.reset(new int(7)); } };
struct C { std::shared_ptr<int> p; C() : p(new int(7)) {} ~C() {} };
struct D { std::shared_ptr<int> p; D() : p(new int(7)) {} ~D() { if (p && p.use_count() == 1) observe(77); else observe(78); } };
int main() {
    std::shared_ptr<int> q(new int(3));
    observe(q.use_count());
    std::shared_ptr<int> r; r.reset(new int(3));
    observe(r.use_count());
    A a; a.p = q; observe(q.use_count());
    observe(a.p.use_count());
    B b; observe(b.p.use_count());
    B b2(b); observe(b.p.use_count());
    C c; observe(c.p.use_count());
    { C c2(c); observe(c.p.use_count()); }
    observe(c.p.use_count());
    { D d; observe(d.p.use_count()); }
    { D d; { D e(d); observe(d.p.use_count()); } observe(d.p.use_count()); }
}

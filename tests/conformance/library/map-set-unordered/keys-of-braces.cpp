// what it asks: Are entries of a map whose key is written in braces told apart, and kept as long as the object with the map?
#include <map>
#include <vector>
#include <utility>
void observe(long long value);
struct Block { int id; int count; };
struct A { int made_ = 0; Block* next(int c) { return new Block{++made_, c}; } };
struct B { std::map<int, int> m; int made_ = 0; int next() { return ++made_; } };
struct C { std::map<std::pair<int,int>, int> m; int made_ = 0; int next() { return ++made_; } };
struct D { std::map<std::pair<int,int>, std::vector<int*>> m; int made_ = 0; int next() { return ++made_; } };
struct E { std::map<int, std::vector<Block*>> m; int made_ = 0; 
  Block* take(int c) {
        auto& shelf = m[c];
        if (!shelf.empty()) { Block* b = shelf.back(); shelf.pop_back(); return b; }
        return new Block{++made_, c};
    } };
struct F { std::map<std::pair<int, int>, std::vector<Block*>> m; int made_ = 0; 
  Block* take(int c) {
        auto& shelf = m[{c, c}];
        if (!shelf.empty()) { Block* b = shelf.back(); shelf.pop_back(); return b; }
        return new Block{++made_, c};
    } };
int main() {
    A a; observe(a.next(2)->id); observe(a.made_); 
    A* pa = new A; observe(pa->next(2)->id); observe(pa->made_);
    B b; observe(b.next());
    C c; observe(c.next());
    D d; observe(d.next());
    D* e = new D; observe(e->next());
    static D* f = new D; observe(f->next());
    E g; observe(g.take(2)->id); 
    observe(g.made_);
    E* h = new E; observe(h->take(2)->id);
    static E* i = new E; observe(i->take(2)->id);
    F k; observe(k.take(2)->id); 
    F* l = new F; observe(l->take(2)->id);
    static F* m = new F; observe(m->take(2)->id);
    observe(m->made_);
}

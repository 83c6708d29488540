// what it asks: Do all elements made of one temporary own it, and do copies of elements?
#include <memory>
#include <vector>
void observe(long long value);
static int destroyed = 0;
struct Pool { int id; explicit Pool(int i) : id(i) {} ~Pool() { destroyed += id; } };
int main() {
    std::vector<std::shared_ptr<Pool>> v(3, std::make_shared<Pool>(7));
    observe(v[0].use_count());
    observe(v[1].use_count());
    std::shared_ptr<Pool> e = v[1];
    observe(v[0].use_count());
    std::shared_ptr<Pool> f; f = v[1];
    observe(v[0].use_count());
    std::vector<std::shared_ptr<int>> w(3, std::make_shared<int>(7));
    observe(w[0].use_count());
    std::shared_ptr<int> g = w[1];
    observe(w[0].use_count());
    auto h = w[1];
    observe(w[0].use_count());
}

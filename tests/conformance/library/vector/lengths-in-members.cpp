// what it asks: How long are containers in elements, members and copies that were assigned?
#include <vector>
#include <memory>
void observe(long long value);
struct Band { std::vector<float> taps; float *out = nullptr; };
struct Desc { std::vector<int> taps; int samples = 0; };
static std::vector<float> box(int width, float level) { return std::vector<float>(width, level); }
static void f(const std::vector<float>& t) { observe(t.size()); }
struct Plan { Plan(const Desc& d) : m(d) { observe(m.taps.size()); use(m.taps); } void use(const std::vector<int>& v) { observe(v.size()); } Desc m; };
struct Deep { Deep(const std::vector<float>& t) { observe(t.size()); } };
static Desc make(int n) { Desc d; for (int i = 0; i < n; ++i) d.taps.push_back(i); return d; }
static Desc made(int n) { Desc d; d.taps.resize(n); d.samples = n; return d; }
static Desc assigned(int n) { Desc d; d.taps.assign(n, 3); d.samples = n; return d; }
int main() {
    std::vector<float> a = box(32, 1.0f);
    observe(a.size());
    std::vector<Band> bands(3);
    bands[0].taps = box(32, 1.0f);
    bands[1].taps = box(16, 2.0f);
    observe(bands[0].taps.size());
    for (auto& b : bands) f(b.taps);
    for (auto& b : bands) { auto p = std::make_unique<Deep>(b.taps); }
    Desc d = make(5);
    observe(d.taps.size());
    Plan p(d);
    Plan q(made(7));
    Plan r(assigned(9));
    std::vector<std::unique_ptr<Plan>> plans;
    for (int i = 1; i < 4; ++i) plans.push_back(std::make_unique<Plan>(made(i)));
    observe(plans[2]->m.taps.size());
    std::vector<Desc> ds;
    for (int i = 1; i < 4; ++i) ds.push_back(make(i));
    observe(ds[1].taps.size());
    for (const Desc& x : ds) { Plan z(x); }
}

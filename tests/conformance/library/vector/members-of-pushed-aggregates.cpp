// what it asks: How long are the vectors in aggregates that were pushed, in braces too?
#include <vector>
#include <memory>
void observe(long long value);
struct Desc { std::vector<int> taps; int samples; };
struct Plan { explicit Plan(const Desc& d) : m_desc(d) { observe(m_desc.taps.size()); } Desc m_desc; };
static std::vector<Desc> bank(int samples) {
    std::vector<Desc> out;
    for (int b = 0; b < 3; ++b) {
        Desc d;
        d.samples = samples;
        for (int k = 0; k < 4; ++k) d.taps.push_back(b + k);
        out.push_back(d);
    }
    return out;
}
static std::vector<Desc> braced(int samples) {
    std::vector<Desc> out;
    for (int b = 0; b < 3; ++b) out.push_back({std::vector<int>(5, b), samples});
    return out;
}
static std::vector<Desc> moved(int samples) {
    std::vector<Desc> out;
    for (int b = 0; b < 3; ++b) { std::vector<int> t(6, b); out.push_back({std::move(t), samples}); out.push_back(Desc{t, samples}); }
    return out;
}
int main() {
    for (const Desc& d : bank(3)) { Plan p(d); }
    std::vector<std::unique_ptr<Plan>> plans;
    for (const auto& d : braced(3)) plans.push_back(std::make_unique<Plan>(d));
    for (const auto& d : moved(3)) plans.push_back(std::make_unique<Plan>(d));
}

// what it asks: Does range-for by value leave the elements alone and by reference change them?
#include <vector>

void observe(long long value);

struct Particle {
    int x;
    int v;
};
int main() {
    std::vector<Particle> ps{{1, 2}, {3, 4}, {5, 6}};
    int seen = 0;
    for (Particle p : ps) {
        p.x += 100;
        seen += p.x;
    }
    observe(ps[0].x + ps[1].x + ps[2].x);
    observe(seen);
    for (auto& p : ps) p.x += p.v;
    observe(ps[0].x + ps[1].x + ps[2].x);
}

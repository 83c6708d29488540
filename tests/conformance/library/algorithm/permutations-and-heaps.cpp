// what it asks: Do next_permutation and the heap functions step as they should?
#include <algorithm>
#include <vector>

void observe(long long value);

int main() {
    int p[] = {1, 2, 3, 4};
    int turns = 0;
    while (p[0] != 2) {
        std::next_permutation(p, p + 4);
        ++turns;
    }
    observe(turns);
    observe(p[1] * 100 + p[2] * 10 + p[3]);
    std::vector<int> h{4, 9, 2, 7};
    std::make_heap(h.begin(), h.end());
    observe(h.front());
    h.push_back(8);
    std::push_heap(h.begin(), h.end());
    std::pop_heap(h.begin(), h.end());
    h.pop_back();
    observe(h.front());
    std::sort_heap(h.begin(), h.end());
    observe(h[0] * 1000 + h[1] * 100 + h[2] * 10 + h[3]);
}

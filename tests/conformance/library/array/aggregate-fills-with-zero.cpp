// what it asks: Are the elements an initialiser leaves out zero, and is size the template argument?
#include <array>

void observe(long long value);

int main() {
    std::array<int, 6> counts{4, 5};
    counts[4] += 9;
    int sum = 0;
    for (int c : counts) sum = sum * 2 + c;
    observe(static_cast<long long>(counts.size()));
    observe(counts[1] * 10 + counts[2]);
    observe(sum);
}

// what it asks: Does swapping two vectors inside a loop alternate the front and back buffers?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> current{1, 2, 3};
    std::vector<int> next(3);
    const int* first = current.data();
    for (int step = 0; step < 3; ++step) {
        for (int i = 0; i < 3; ++i) next[i] = current[i] + current[(i + 1) % 3];
        current.swap(next);
    }
    observe(current[0]);
    observe(next[0]);
    observe(next.data() == first ? 8 : 9);
    observe(current[1] - current[2]);
}

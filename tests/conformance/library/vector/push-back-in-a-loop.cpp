// what it asks: Do pushes in a counted loop build up size and contents?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> squares;
    for (int i = 0; i < 12; ++i) {
        if (i % 3 == 0) continue;
        squares.push_back(i * i);
    }
    int sum = 0;
    for (int value : squares) sum += value;
    observe(static_cast<long long>(squares.size()));
    observe(squares[5]);
    observe(sum);
}

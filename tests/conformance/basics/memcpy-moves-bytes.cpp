// what it asks: what stands where after a copy of bytes between structs.
#include <cstring>

void observe(long long value);

int main() {
    struct Pair {
        int first;
        int second;
    };
    Pair from{11, 22};
    Pair to{1, 2};
    std::memcpy(&to, &from, sizeof(Pair));
    from.first = 5;
    observe(to.first + to.second);
    int numbers[4] = {1, 2, 3, 4};
    std::memmove(numbers + 1, numbers, 3 * sizeof(int));
    observe(numbers[1] * 100 + numbers[3]);
    return 0;
}

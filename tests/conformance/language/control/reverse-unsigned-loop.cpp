// what it asks: Does the i-- > 0 idiom walk an unsigned index down to zero inclusive?
#include <cstddef>

void observe(long long value);

int main() {
    int data[5] = {1, 2, 3, 4, 5};
    int order = 0;
    int trips = 0;
    for (std::size_t i = 5; i-- > 0;) {
        order = order * 10 + data[i];
        ++trips;
    }
    observe(order);
    observe(trips);
    int down = 0;
    for (int i = 9; i >= 0; i -= 3) {
        down = down * 10 + i;
    }
    observe(down);
}

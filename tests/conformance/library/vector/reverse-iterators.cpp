// what it asks: Does rbegin to rend walk from the last element to the first?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> digits{4, 0, 9, 2};
    int number = 0;
    for (auto it = digits.rbegin(); it != digits.rend(); ++it) number = number * 10 + *it;
    observe(number);
    *digits.rbegin() = 8;
    observe(digits[3]);
    auto r = digits.rbegin() + 2;
    observe(r.base() - digits.begin());
    observe(*(r - 1));
}

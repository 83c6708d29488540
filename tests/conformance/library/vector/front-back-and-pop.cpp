// what it asks: Are front and back references that follow pop_back?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> stack{5, 6, 7};
    stack.front() = 50;
    stack.back() += 70;
    observe(stack.back());
    stack.pop_back();
    observe(stack.back());
    stack.pop_back();
    observe(stack.back());
    observe(static_cast<long long>(stack.size()) + 30);
}

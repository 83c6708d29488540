// what it asks: Does an unordered_map passed by reference memoise a recursion?
#include <unordered_map>

void observe(long long value);

namespace {
int calls = 0;
long long steps(long long n, std::unordered_map<long long, long long>& memo) {
    auto it = memo.find(n);
    if (it != memo.end()) return it->second;
    ++calls;
    long long r = n <= 1 ? 0 : 1 + steps(n % 2 ? 3 * n + 1 : n / 2, memo);
    memo[n] = r;
    return r;
}
}  // namespace
int main() {
    std::unordered_map<long long, long long> memo;
    observe(steps(6, memo));
    observe(calls);
    observe(steps(12, memo));
    observe(calls);
    observe(steps(7, memo));
}

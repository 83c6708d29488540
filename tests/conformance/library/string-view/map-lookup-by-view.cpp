// what it asks: Does a transparent set of strings find by view without a matching string?
#include <functional>
#include <set>
#include <string>
#include <string_view>

void observe(long long value);

int main() {
    std::set<std::string, std::less<>> names{"axpy", "dot", "gemm"};
    std::string_view line = "gemm 4 dotx";
    observe(names.count(line.substr(0, 4)) ? 6 : 7);
    observe(names.count(line.substr(7)) ? 6 : 7);
    auto it = names.find(line.substr(7, 3));
    observe(static_cast<long long>(it->size()) * 10 + (*it)[2] - 's');
}

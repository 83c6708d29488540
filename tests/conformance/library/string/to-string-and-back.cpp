// what it asks: Does to_string write digits and sign, and does joining strings not add numbers?
#include <string>

void observe(long long value);

int main() {
    std::string a = std::to_string(12) + std::to_string(-3);
    observe(static_cast<long long>(a.size()));
    observe(a[2] == '-' ? 45 : 54);
    std::string b = std::to_string(40) + std::to_string(2);
    observe(std::stoi(b));
    observe(static_cast<long long>(std::to_string(2.5).size()));
    observe(std::stoi(std::to_string(1000 / 7)) * 2);
}

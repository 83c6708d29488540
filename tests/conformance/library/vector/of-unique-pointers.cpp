// what it asks: Do a vector's unique_ptr elements survive growth and erase of a neighbour?
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

int main() {
    std::vector<std::unique_ptr<int>> owned;
    for (int i = 1; i <= 9; ++i) owned.push_back(std::make_unique<int>(i * i));
    int* fifth = owned[4].get();
    owned.erase(owned.begin() + 1);
    std::unique_ptr<int> taken = std::move(owned[0]);
    observe(*taken);
    observe(owned[0] == nullptr ? 15 : 16);
    observe(*owned[3]);
    observe(owned[3].get() == fifth ? 21 : 22);
    observe(static_cast<long long>(owned.size()));
}

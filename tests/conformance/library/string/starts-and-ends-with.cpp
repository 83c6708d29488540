// std: c++20
// what it asks: Do starts_with and ends_with look at the right end?
#include <string>

void observe(long long value);

int main() {
    std::string name = "vector_add_kernel";
    int mask = 0;
    if (name.starts_with("vector")) mask |= 1;
    if (name.ends_with("vector")) mask |= 2;
    if (name.ends_with("_kernel")) mask |= 4;
    if (name.starts_with('k')) mask |= 8;
    observe(mask);
    while (!name.ends_with('_')) name.pop_back();
    observe(static_cast<long long>(name.size()));
}

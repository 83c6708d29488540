// what it asks: Are a list's elements copied, not moved, into the vector made from it?
#include <initializer_list>
#include <memory>
#include <vector>

void observe(long long value);

int main() {
    auto p = std::make_shared<int>(3);
    {
        std::vector<std::shared_ptr<int>> v{p, p};
        observe(p.use_count());
        v.insert(v.begin(), {p, nullptr, p});
        observe(p.use_count());
        observe(static_cast<long long>(v.size() * 10) + *v[2]);
    }
    observe(p.use_count());
}

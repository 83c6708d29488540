// what it asks: Does a function returning optional give the index found or nothing?
#include <optional>
#include <vector>

void observe(long long value);

static std::optional<std::size_t> find_first(const std::vector<int>& v, int least) {
    for (std::size_t i = 0; i < v.size(); ++i)
        if (v[i] >= least) return i;
    return std::nullopt;
}
int main() {
    std::vector<int> sizes{16, 64, 256, 1024};
    auto a = find_first(sizes, 100);
    auto b = find_first(sizes, 5000);
    observe(static_cast<long long>(a.value()));
    observe(b ? 20 : 30);
    int sum = 0;
    for (int want : {1, 17, 2000, 1024})
        if (auto hit = find_first(sizes, want)) sum += sizes[*hit];
    observe(sum);
}

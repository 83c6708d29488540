// what it asks: try_emplace, insert_or_assign and extract say what they did.
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

void observe(long long value);

int main() {
    std::map<std::string, std::unique_ptr<int>> kernels;
    auto [first, added] = kernels.try_emplace("gemm", std::make_unique<int>(4));
    observe(added ? 1 : 2);
    observe(*first->second);
    auto [again, twice] = kernels.try_emplace("gemm", std::make_unique<int>(8));
    observe(twice ? 1 : 2);
    observe(*again->second);
    auto [it, fresh] = kernels.insert_or_assign("gemm", std::make_unique<int>(16));
    observe(fresh ? 1 : 2);
    observe(*it->second);
    kernels.emplace("axpy", nullptr);
    observe(kernels.size());
    observe(kernels.begin()->second == nullptr ? 7 : 8);
    std::unordered_map<int, int> counts{{1, 10}, {2, 20}};
    ++counts[1];
    counts[3] += 5;
    observe(counts.at(1) + counts.at(3));
    observe(counts.erase(2));
    observe(counts.erase(2));
    observe(counts.size());
    auto node = kernels.extract("gemm");
    observe(*node.mapped());
    observe(kernels.size());
}

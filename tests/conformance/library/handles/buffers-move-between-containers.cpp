// what it asks: Owners that can only be moved go from one container to another.
#include <map>
#include <string>
#include <utility>
#include <vector>

void observe(long long value);

static int live = 0, freed = 0;

struct Buffer {
    int* data = nullptr;
    int size = 0;
    Buffer() = default;
    explicit Buffer(int n) : data(new int[n]), size(n) { ++live; }
    Buffer(Buffer&& other) noexcept : data(other.data), size(other.size) {
        other.data = nullptr;
        other.size = 0;
    }
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data, other.data);
        std::swap(size, other.size);
        return *this;
    }
    ~Buffer() {
        if (data) {
            --live;
            freed += size;
            delete[] data;
        }
    }
};

int main() {
    std::vector<Buffer> free_list;
    std::map<std::string, Buffer> used;
    free_list.emplace_back(3);
    free_list.emplace_back(5);
    used.emplace("a", std::move(free_list.back()));
    free_list.pop_back();
    observe(live);
    observe(used.at("a").size);
    used.try_emplace("b", 7);
    observe(live);
    used.try_emplace("b", 9);
    observe(used["b"].size);
    free_list.push_back(std::move(used["a"]));
    used.erase("a");
    observe(used.size());
    observe(live);
    observe(free_list.back().size);
    free_list.clear();
    observe(freed);
    used.clear();
    observe(freed);
}

// what it asks: Elements are made in place from the arguments of a constructor, and referred to.
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

struct Stage {
    Buffer input, output;
    int depth;
    Stage(int in, int out, int d) : input(in), output(out), depth(d) {}
};

int main() {
    {
        std::vector<Stage> stages;
        stages.reserve(3);
        auto& first = stages.emplace_back(4, 6, 1);
        observe(live);
        first.depth = 9;
        stages.emplace_back(1, 2, 3);
        observe(stages[0].depth);
        observe(stages.back().output.size);
        observe(live);
        std::swap(stages[0], stages[1]);
        observe(stages[0].depth * 10 + stages[1].depth);
        stages.pop_back();
        observe(freed);
    }
    observe(freed);
    observe(live);
}

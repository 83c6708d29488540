// what it asks: Do uninitialized_copy, destroy_n and placement new manage objects in raw storage?
#include <memory>
#include <new>
#include <string>

void observe(long long value);

int main() {
    const std::string words[] = {"one", "three", "sixteen characters and more"};
    std::allocator<std::string> raw;
    std::string* out = raw.allocate(4);
    std::string* end = std::uninitialized_copy(words, words + 3, out);
    observe(end - out);
    out[1] += "!!";
    observe(static_cast<long long>(out[1].size() * 10 + words[1].size()));
    ::new (static_cast<void*>(end)) std::string(4, 'z');
    int total = 0;
    for (int i = 0; i < 4; ++i) total += static_cast<int>(out[i].size());
    observe(total);
    std::destroy_n(out, 4);
    raw.deallocate(out, 4);
}

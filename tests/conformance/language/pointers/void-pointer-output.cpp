// what it asks: Does storing through a void** parameter set the caller's void pointer, and is it usable as typed memory after a cast?
#include <cstdlib>

void observe(long long value);

static int getMemory(void** out, unsigned long bytes) {
    *out = std::malloc(bytes);
    return *out == nullptr ? 2 : 0;
}

int main() {
    void* raw = nullptr;
    int status = getMemory(&raw, 5 * sizeof(int));
    int* p = static_cast<int*>(raw);
    for (int i = 0; i < 5; ++i) {
        p[i] = i * i;
    }
    observe(status + p[4]);
    observe(p[3] - p[1]);
    observe(p != nullptr ? 61 : 16);
    std::free(raw);
}

// what it asks: Does a store at an index that depends on much change the element it names and no other?
void observe(long long value);

static int mixed(int n) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < n; ++i) {
        hash = (hash ^ static_cast<unsigned>(i)) * 16777619u;
    }
    return static_cast<int>(hash % 4);
}

int main() {
    int slots[4] = {10, 20, 30, 40};
    int at = mixed(2000);
    slots[at] += 5;
    int sum = 0;
    for (int slot : slots) {
        sum += slot;
    }
    observe(sum);
    observe(slots[at] - at * 10);
    int* heap = new int[4]();
    int* end = heap + 4;
    *--end = 7;
    *(heap + 1) = 8;
    int* first = heap + 2 - 2;
    *first = 9;
    observe(heap[3] * 100 + heap[1] * 10 + heap[0]);
    delete[] heap;
}

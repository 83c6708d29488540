// what it asks: Does an in-place recursive quicksort order the array and touch all of it?
void observe(long long value);

static void sortRange(int* v, int lo, int hi) {
    if (lo >= hi) {
        return;
    }
    int pivot = v[(lo + hi) / 2];
    int i = lo, j = hi;
    while (i <= j) {
        while (v[i] < pivot) ++i;
        while (v[j] > pivot) --j;
        if (i <= j) {
            int t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    sortRange(v, lo, j);
    sortRange(v, i, hi);
}

int main() {
    int v[9] = {50, 20, 90, 10, 70, 20, 60, 40, 30};
    sortRange(v, 0, 8);
    observe(v[0]);
    observe(v[4]);
    observe(v[8]);
    observe(v[2] - v[1] + 5);
}

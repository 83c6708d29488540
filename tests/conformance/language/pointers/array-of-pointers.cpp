// what it asks: Does an array of pointers alias separate variables so that swapped entries still reach them?
void observe(long long value);

int main() {
    int x = 1, y = 2, z = 3;
    int* table[3] = {&x, &y, &z};
    int* t = table[0];
    table[0] = table[2];
    table[2] = t;
    *table[0] = 50;
    *table[2] = 60;
    observe(x);
    observe(z);
    int sum = 0;
    for (int* p : table) {
        sum += *p;
    }
    observe(sum);
}

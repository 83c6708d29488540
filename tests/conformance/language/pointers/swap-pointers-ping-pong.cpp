// what it asks: After an odd number of ping-pong steps, does the swapped pointer name the other buffer?
void observe(long long value);

int main() {
    int first[4] = {1, 2, 3, 4};
    int second[4] = {0, 0, 0, 0};
    int* src = first;
    int* dst = second;
    for (int step = 0; step < 3; ++step) {
        for (int i = 0; i < 4; ++i) {
            dst[i] = src[i] * 2;
        }
        int* t = src;
        src = dst;
        dst = t;
    }
    observe(src[3]);
    observe(first[3]);
    observe(second[3]);
    observe(src == second ? 25 : 52);
}

// what it asks: Are missing trailing arguments filled with their defaults at the call?
void observe(long long value);

static int launch(int grid, int block = 256, int shared = 48) {
    return grid * 1000 + block + shared;
}

int main() {
    observe(launch(2));
    observe(launch(2, 32));
    observe(launch(2, 32, 0));
    int (*full)(int, int, int) = launch;
    observe(full(1, 1, 1));
}

// what it asks: Is a row of an array of arrays an array of its own, by index, by pointer and by reference?
void observe(long long value);

static int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};

static int sumOf(const int (*row)[3]) { return (*row)[0] + (*row)[1] * 10 + (*row)[2] * 100; }

int main() {
    int local[3][2] = {{7, 8}, {9}};
    int* second = grid[1];
    second[2] = 60;
    observe(grid[1][2]);
    observe(local[1][0] * 10 + local[1][1]);
    observe(local[2][1] + 40);
    observe(sumOf(&grid[1]));
    auto& row = grid[0];
    row[1] += 20;
    observe(grid[0][1]);
    int* all = &local[0][0];
    observe(*(all + 1) + **(local + 1));
}

// what it asks: Does stepping a pointer to a whole row skip a full row of the matrix?
void observe(long long value);

int main() {
    int m[3][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}};
    int (*row)[4] = m;
    ++row;
    observe((*row)[2]);
    observe(row[1][3]);
    int* flat = *row;
    observe(flat[1]);
    observe(static_cast<int>(sizeof(*row) / sizeof(int)));
    observe(row - m + 40);
}

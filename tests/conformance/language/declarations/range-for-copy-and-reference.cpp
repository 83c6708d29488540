// what it asks: Does the range-for variable copy each element by value and alias it by reference?
void observe(long long value);

int main() {
    int data[5] = {1, 2, 3, 4, 5};
    int seen = 0;
    for (int v : data) {
        v *= 100;
        seen += v;
    }
    observe(seen);
    observe(data[4]);
    for (int& v : data) {
        v += 10;
    }
    observe(data[4]);
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int corner = 0;
    for (auto& row : grid) {
        for (auto& cell : row) {
            cell *= cell;
        }
        corner = corner * 100 + row[2];
    }
    observe(corner);
}

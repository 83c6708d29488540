// what it asks: Is a matrix of separately allocated rows indexed and released correctly?
void observe(long long value);

int main() {
    const int rows = 3;
    int** m = new int*[rows];
    for (int i = 0; i < rows; ++i) {
        m[i] = new int[i + 1];
        for (int j = 0; j <= i; ++j) {
            m[i][j] = i * 10 + j;
        }
    }
    observe(m[2][1]);
    int sum = 0;
    for (int i = 0; i < rows; ++i) {
        sum += m[i][i];
        delete[] m[i];
        m[i] = nullptr;
    }
    observe(sum);
    observe(m[1] == nullptr ? 15 : 51);
    delete[] m;
}

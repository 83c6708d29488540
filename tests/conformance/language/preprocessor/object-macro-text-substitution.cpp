// what it asks: Is a macro replaced as text, so that missing parentheses change the result?
void observe(long long value);

#define SUM 2 + 3
#define SAFE_SUM (2 + 3)
#define SIZE base * 2

int main() {
    int base = 10;
    observe(SUM * 4);
    observe(SAFE_SUM * 4);
    observe(SIZE + 1);
    base = 50;
    observe(SIZE);
    observe(100 - SUM);
}

// what it asks: Do strcpy, strncpy, strcat and strtok build and split a C string?
#include <cstdlib>
#include <cstring>

void observe(long long value);

int main() {
    char line[32];
    std::strcpy(line, "8");
    std::strcat(line, ";16");
    std::strcat(line, ";;4");
    observe(static_cast<long long>(std::strlen(line)));
    char field[8];
    std::memset(field, 'x', sizeof field);
    std::strncpy(field, "ab", 4);
    observe(field[3] + (field[4] - 'x') + 5);
    int count = 0, product = 1;
    for (char* t = std::strtok(line, ";"); t; t = std::strtok(nullptr, ";")) {
        ++count;
        product *= std::atoi(t);
    }
    observe(count);
    observe(product);
    observe(static_cast<long long>(std::strspn("0042x", "0123456789") * 10 + std::strcspn("ab=c", "=")));
}

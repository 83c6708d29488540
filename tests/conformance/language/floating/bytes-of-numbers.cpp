// what it asks: Are the bytes of a floating number no integer, and the other way round?
#include <cstring>

void observe(long long value);

int main() {
    float one = 1.0f;
    int bits = 7;
    std::memcpy(&bits, &one, sizeof bits);
    observe(bits);
    int pattern = 0x40400000;
    float three = 0;
    std::memcpy(&three, &pattern, sizeof three);
    observe(static_cast<int>(three));
    double wide = 2.5;
    double copy = 0;
    std::memcpy(&copy, &wide, sizeof copy);
    observe(static_cast<int>(copy * 2));
    union {
        float number;
        unsigned word;
    } both;
    both.number = 2.0f;
    observe(both.word);
    float zeros[4] = {1.5f, 2.5f, 3.5f, 4.5f};
    std::memset(zeros, 0, sizeof zeros);
    observe(zeros[2] == 0.0f);
}

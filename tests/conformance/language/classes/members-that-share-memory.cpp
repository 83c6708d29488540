// what it asks: Does a store to one member of a union leave nothing of what was known of the others?
#include <cstdint>

void observe(long long value);

union Word {
    uint32_t whole;
    uint16_t half;
    uint32_t again;
};

struct Tagged {
    int kind;
    union {
        int number;
        unsigned bits;
    };
};

int main() {
    Word word = {0x12345678u};
    word.again = 0xABCD0001u;
    word.again += 4;
    observe(word.again & 0xff);
    Word copy = word;
    copy.again = 9;
    observe(word.again % 1000 + copy.again);
    Tagged tagged = {3, {40}};
    tagged.bits = 70;
    observe(tagged.kind * 100 + static_cast<int>(tagged.bits));
    Tagged other = tagged;
    other.bits = 1;
    observe(tagged.bits + other.bits);
}

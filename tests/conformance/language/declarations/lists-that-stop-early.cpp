// what it asks: Is what a list of initialisers does not reach zero, also where inner braces are left out?
void observe(long long value);

struct Point {
    int at[2];
};
struct Box {
    Point low, high;
    short tags[3];
};

static long table[4] = {11, 12};
static Box fixed = {1, 2, 3, 4, 5};

int main() {
    int counts[5] = {9};
    Point corners[3] = {1, 2, 3};
    Box box = {{{5}}, {{6, 7}}, {}};
    observe(table[1] + table[3]);
    observe(counts[0] * 10 + counts[4]);
    observe(corners[1].at[0] * 100 + corners[1].at[1] * 10 + corners[2].at[0] + 7);
    observe(box.low.at[0] * 100 + box.low.at[1] * 10 + box.high.at[1] + box.tags[0]);
    observe(fixed.high.at[0] * 100 + fixed.high.at[1] * 10 + fixed.tags[0] + fixed.tags[2]);
}

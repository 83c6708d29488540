// what it asks: Does ## join tokens into names of variables and functions?
void observe(long long value);

#define FIELD(name, n) name##_##n
#define DEFINE_GETTER(name, value) \
    static int get_##name(int k) { return (value) + k; }
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define INDEX 7

DEFINE_GETTER(width, 640)
DEFINE_GETTER(height, 480)

int main() {
    int grid_1 = 11;
    int grid_2 = 22;
    observe(FIELD(grid, 2) - FIELD(grid, 1) * 3);
    observe(get_width(1));
    observe(get_height(2));
    int CAT(slot, INDEX) = 70;
    observe(slot7 + 1);
    observe(CAT(1, CAT(2, 3)));
}

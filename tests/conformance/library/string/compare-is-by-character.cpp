// what it asks: Do the comparisons go by character and not by number or length?
#include <string>

void observe(long long value);

static int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }
int main() {
    std::string nine = "9", ten = "10", hundred = "100";
    int mask = 0;
    if (nine < ten) mask |= 1;
    if (ten < hundred) mask |= 2;
    if (hundred < nine) mask |= 4;
    if (ten == "10") mask |= 8;
    observe(mask);
    observe(sign(nine.compare(ten)) * 7);
    observe(sign(ten.compare(hundred)) * 7);
    observe(hundred.compare(1, 2, "00") + 3);
}

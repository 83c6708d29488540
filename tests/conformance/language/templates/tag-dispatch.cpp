// what it asks: Does dispatch on an iterator-like tag type choose the derived tag's overload first?
void observe(long long value);

struct ForwardTag {};
struct RandomTag : ForwardTag {};
struct ContiguousTag : RandomTag {};
struct ListIt { using tag = ForwardTag; };
struct DequeIt { using tag = RandomTag; };
struct ArrayIt { using tag = ContiguousTag; };
static int move(int n, ForwardTag) {
    int steps = 0;
    while (n-- > 0) {
        steps += 3;
    }
    return steps;
}
static int move(int n, RandomTag) { return n + 100; }
template <class It> int advance(It, int n) { return move(n, typename It::tag{}); }

int main() {
    observe(advance(ListIt{}, 8));
    observe(advance(DequeIt{}, 8));
    observe(advance(ArrayIt{}, 9));
    observe(move(2, ForwardTag{}));
}

// what it asks: Does dynamic_cast give the derived object or null according to the dynamic type?
void observe(long long value);

struct Node {
    virtual ~Node() = default;
};
struct Leaf : Node {
    int v = 7;
};
struct Branch : Node {
    int kids = 30;
};
static int weigh(Node* n) {
    if (auto* l = dynamic_cast<Leaf*>(n)) return l->v;
    if (auto* b = dynamic_cast<Branch*>(n)) return b->kids * 2;
    return -1;
}

int main() {
    Node n;
    Leaf l;
    Branch b;
    b.kids += 5;
    observe(weigh(&n));
    observe(weigh(&l));
    observe(weigh(&b));
    observe(weigh(nullptr) * 9);
}

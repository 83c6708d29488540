// what it asks: Does a list chained by unique_ptr build, reverse and destroy all of its nodes?
#include <memory>
#include <utility>

void observe(long long value);

namespace {
int gone = 0;
struct Node {
    int value;
    std::unique_ptr<Node> next;
    Node(int v, std::unique_ptr<Node> n) : value(v), next(std::move(n)) {}
    ~Node() { gone = gone * 2 + value; }
};
int digits(const Node* n) {
    int d = 0;
    for (; n; n = n->next.get()) d = d * 10 + n->value;
    return d;
}
}  // namespace
int main() {
    std::unique_ptr<Node> head;
    for (int i = 1; i <= 4; ++i) head = std::make_unique<Node>(i, std::move(head));
    observe(digits(head.get()));
    std::unique_ptr<Node> reversed;
    while (head) {
        auto rest = std::move(head->next);
        head->next = std::move(reversed);
        reversed = std::move(head);
        head = std::move(rest);
    }
    observe(digits(reversed.get()));
    observe(gone + 5);
    reversed.reset();
    observe(gone);
}

// what it asks: Does in-place reversal by relinking next pointers reverse the order?
void observe(long long value);

struct Node {
    int value;
    Node* next;
};
static int digits(const Node* n) {
    int r = 0;
    for (; n; n = n->next) {
        r = r * 10 + n->value;
    }
    return r;
}

int main() {
    Node c{3, nullptr}, b{2, &c}, a{1, &b};
    Node* head = &a;
    observe(digits(head));
    Node* done = nullptr;
    while (head) {
        Node* next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    observe(digits(done));
    observe(digits(&a) * 100 + digits(&b));
}

// what it asks: Does removal through a pointer to the link unlink head and inner nodes alike?
void observe(long long value);

struct Node {
    int value;
    Node* next;
};
static int removeAll(Node** link, int value) {
    int removed = 0;
    while (*link) {
        if ((*link)->value == value) {
            *link = (*link)->next;
            ++removed;
        } else {
            link = &(*link)->next;
        }
    }
    return removed;
}

int main() {
    Node d{5, nullptr}, c{7, &d}, b{5, &c}, a{5, &b};
    Node* head = &a;
    observe(removeAll(&head, 5));
    observe(head->value);
    observe(head->next == nullptr ? 33 : 44);
    observe(removeAll(&head, 6) + 20);
}

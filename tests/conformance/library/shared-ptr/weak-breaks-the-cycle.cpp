// what it asks: Are parent and child both freed when the back pointer is weak?
#include <memory>
#include <vector>

void observe(long long value);

namespace {
int freed = 0;
struct Node {
    int id;
    std::vector<std::shared_ptr<Node>> children;
    std::weak_ptr<Node> parent;
    explicit Node(int i) : id(i) {}
    ~Node() { freed += id; }
};
int up(const std::shared_ptr<Node>& n) {
    auto p = n->parent.lock();
    return p ? p->id : -1;
}
}  // namespace
int main() {
    auto root = std::make_shared<Node>(1);
    auto leaf = std::make_shared<Node>(10);
    root->children.push_back(leaf);
    leaf->parent = root;
    observe(root.use_count() * 10 + leaf.use_count());
    observe(up(leaf) + 40);
    root.reset();
    observe(freed);
    observe(up(leaf) + 40);
    leaf.reset();
    observe(freed);
}

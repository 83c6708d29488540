// what it asks: Does a nested class use the private static members of its enclosing class?
void observe(long long value);

class Graph {
    static int nodes_;
public:
    class Node {
        int id_;
    public:
        Node() : id_(nodes_++) {}
        int id() const { return id_; }
        struct Edge {
            int from, to;
            int weight() const { return from * 10 + to + nodes_; }
        };
        Edge to(const Node& o) const { return {id_, o.id_}; }
    };
    static int count() { return nodes_; }
};
int Graph::nodes_ = 3;

int main() {
    Graph::Node a, b, c;
    observe(c.id());
    Graph::Node::Edge e = a.to(c);
    observe(e.weight());
    observe(b.to(a).weight());
    observe(Graph::count());
}

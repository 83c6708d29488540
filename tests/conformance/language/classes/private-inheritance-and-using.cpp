// what it asks: Does private inheritance with a using declaration expose just the chosen member?
#include <type_traits>

void observe(long long value);

class Storage {
protected:
    int d_[4] = {1, 2, 3, 4};
public:
    int get(int i) const { return d_[i]; }
    void set(int i, int v) { d_[i] = v; }
};
class Stack : private Storage {
    int top_ = 0;
public:
    using Storage::get;
    void push(int v) { set(top_++, v); }
    int depth() const { return top_; }
};

int main() {
    Stack s;
    s.push(50);
    s.push(60);
    observe(s.get(1));
    observe(s.get(2));
    observe(s.depth() * 7);
    observe(std::is_convertible<Stack*, Storage*>::value ? 80 : 90);
}

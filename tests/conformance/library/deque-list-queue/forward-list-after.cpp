// what it asks: Do forward_list's insert_after and erase_after act on the successor?
#include <forward_list>
#include <iterator>

void observe(long long value);

int main() {
    std::forward_list<int> f{1, 4};
    f.push_front(8);
    auto it = f.insert_after(f.begin(), 6);
    observe(*it);
    f.erase_after(it);
    observe(std::distance(f.begin(), f.end()));
    int n = 0;
    for (int x : f) n = n * 10 + x;
    observe(n);
    f.insert_after(f.before_begin(), 3);
    observe(f.front());
}

// what it asks: Is a pair the same key whether it is named, made or written in braces, and is one kept as a value?
#include <map>
#include <utility>
#include <vector>
void observe(long long value);
using Key = std::pair<int, long>;
struct Pool {
  int *take(long n, int home) {
    auto &shelf = idle_[{home, n}];
    if (!shelf.empty()) { int *b = shelf.back(); shelf.pop_back(); return b; }
    int *b = new int(++made);
    lengths_[b] = {home, n};
    return b;
  }
  void give(int *b) {
    auto key = lengths_[b];
    observe(key.first); observe(key.second);
    idle_[key].push_back(b);
  }
  int made = 0;
  std::map<Key, std::vector<int *>> idle_;
  std::map<int *, Key> lengths_;
};
int main() {
  Pool p;
  int *a = p.take(5, 1);
  observe(*a);
  p.give(a);
  int *b = p.take(5, 1);
  observe(*b);
  observe(a == b);
  Key k{2, 7};
  p.idle_[k].push_back(a);
  observe(p.idle_[{2, 7}].size());
  observe(p.idle_[std::make_pair(2, 7L)].size());
  std::map<int, Key> m;
  m[3] = {4, 5};
  observe(m[3].second);
  Key c = m[3];
  observe(c.first);
  m[3] = k;
  observe(m[3].second);
}

// what it asks: Does erasing through the iterator erase returns leave exactly the other entries?
#include <map>

void observe(long long value);

int main() {
    std::map<int, int> live;
    for (int i = 0; i < 10; ++i) live[i] = i * i;
    int freed = 0;
    for (auto it = live.begin(); it != live.end();) {
        if (it->second % 3 == 1) {
            freed += it->first;
            it = live.erase(it);
        } else {
            ++it;
        }
    }
    observe(static_cast<long long>(live.size()));
    observe(freed);
    observe(live.rbegin()->second);
    observe(static_cast<long long>(live.erase(9) + live.erase(8)));
}

// what it asks: Algorithms that count write through inserters.
#include <algorithm>
#include <deque>
#include <iterator>
#include <vector>

void observe(long long value);

struct Pool {
    std::vector<int*> owned;
    std::deque<int*> idle;

    explicit Pool(int slabs) {
        int next = 7;
        std::generate_n(std::back_inserter(owned), slabs, [&next] { return new int(next++); });
        idle.assign(owned.begin(), owned.end());
    }
    ~Pool() {
        std::for_each(owned.begin(), owned.end(), [](int* p) { delete p; });
    }
};

int main() {
    Pool pool(3);
    observe(pool.owned.size());
    observe(*pool.owned[2]);
    observe(pool.idle.size());
    observe(*pool.idle.front());
    pool.idle.pop_front();
    observe(*pool.idle.front());
    std::vector<int> sums;
    std::transform(pool.owned.begin(), pool.owned.end(), std::back_inserter(sums), [](int* p) { return *p * 2; });
    observe(sums.size());
    observe(sums.back());
    std::fill_n(std::back_inserter(sums), 2, 5);
    observe(sums.size());
    observe(sums[4]);
    std::copy_n(pool.idle.begin(), 1, std::front_inserter(pool.idle));
    observe(*pool.idle.front());
    observe(pool.idle.size());
}

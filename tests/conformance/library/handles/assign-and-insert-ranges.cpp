// what it asks: Containers take ranges of others: assign, insert and range constructors.
#include <deque>
#include <iterator>
#include <list>
#include <set>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> ids{3, 1, 2};
    std::deque<int> idle;
    idle.assign(ids.begin(), ids.end());
    observe(idle.size());
    observe(idle.back());
    std::vector<int> copy(ids.begin() + 1, ids.end());
    observe(copy.size());
    observe(copy[0]);
    copy.insert(copy.end(), ids.begin(), ids.end());
    observe(copy.size());
    observe(copy[4]);
    copy.assign(2, 9);
    observe(copy.size() * 10 + copy[1]);
    copy.assign({6, 7, 8});
    observe(copy[2]);
    std::list<int> order(ids.begin(), ids.end());
    observe(order.front());
    std::vector<int> more{4, 5};
    ids.insert(ids.begin() + 1, more.begin(), more.end());
    observe(ids[0] * 1000 + ids[1] * 100 + ids[2] * 10 + ids[3]);
    std::vector<int> moved(std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    observe(moved[1]);
    copy.insert(copy.begin(), 3, 1);
    observe(copy.size());
    observe(copy[3]);
}

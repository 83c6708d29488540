// what it asks: Frames in flight come and go at the ends of a deque.
#include <deque>
#include <memory>
#include <utility>

void observe(long long value);

static int live = 0;

struct Frame {
    int number;
    std::shared_ptr<int> pixels;
    explicit Frame(int n) : number(n), pixels(new int(n * 10), [](int* p) { --live; delete p; }) { ++live; }
};

int main() {
    std::deque<Frame> flight;
    int shown = 0;
    for (int i = 1; i <= 5; ++i) {
        flight.emplace_back(i);
        if (flight.size() > 2) {
            shown = shown * 10 + flight.front().number;
            flight.pop_front();
        }
    }
    observe(shown);
    observe(live);
    observe(flight.size());
    Frame kept = std::move(flight.front());
    flight.pop_front();
    observe(*kept.pixels);
    observe(live);
    flight.push_front(std::move(kept));
    observe(flight.front().number * 10 + flight.back().number);
    flight.erase(flight.begin());
    observe(live);
    observe(flight[0].number);
}

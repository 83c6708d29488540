// what it asks: Does a window kept in a deque give the maxima of each stretch?
#include <deque>
#include <vector>

void observe(long long value);

int main() {
    const int data[] = {4, 2, 7, 1, 3, 6, 5, 0};
    std::deque<int> window;
    std::vector<int> maxima;
    for (int i = 0; i < 8; ++i) {
        while (!window.empty() && data[window.back()] <= data[i]) window.pop_back();
        window.push_back(i);
        if (window.front() <= i - 3) window.pop_front();
        if (i >= 2) maxima.push_back(data[window.front()]);
    }
    observe(static_cast<long long>(maxima.size()));
    observe(maxima[2]);
    observe(maxima[3]);
    observe(maxima.back());
}

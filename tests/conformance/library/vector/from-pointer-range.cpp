// what it asks: Does construction from a pointer range copy exactly the half-open range?
#include <vector>

void observe(long long value);

int main() {
    float host[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    std::vector<float> window(host + 1, host + 4);
    host[1] = 50.0f;
    float sum = 0.0f;
    for (float x : window) sum += x;
    observe(static_cast<long long>(window.size()));
    observe(static_cast<long long>(sum));
    observe(static_cast<long long>(window.back()));
}

// what it asks: Can several threads get the one value of a shared_future?
#include <future>
#include <thread>
#include <vector>

void observe(long long value);

int main() {
    std::promise<int> start;
    std::shared_future<int> go = start.get_future().share();
    std::vector<int> out(3, 0);
    std::vector<std::thread> pool;
    for (int i = 0; i < 3; ++i) pool.emplace_back([go, i, &out] { out[i] = go.get() * (i + 1); });
    observe(out.size() * 10 + (go.valid() ? 1 : 2));
    start.set_value(13);
    for (auto& t : pool) t.join();
    observe(out[0] + out[2]);
    observe(go.get() + out[1]);
}

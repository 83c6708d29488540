// what it asks: Do threads in a vector each fill the slots that their captured index names?
#include <thread>
#include <vector>

void observe(long long value);

int main() {
    const int workers = 4, n = 22;
    std::vector<int> out(n, -1);
    std::vector<int> partial(workers);
    std::vector<std::thread> pool;
    for (int w = 0; w < workers; ++w)
        pool.emplace_back([&, w] {
            for (int i = w; i < n; i += workers) {
                out[i] = i * i;
                partial[w] += i;
            }
        });
    for (auto& t : pool) t.join();
    observe(out[21]);
    observe(partial[0]);
    observe(partial[1] * 100 + partial[3]);
    observe(static_cast<long long>(pool.size()));
}

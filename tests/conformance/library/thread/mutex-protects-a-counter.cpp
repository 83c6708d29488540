// what it asks: Does a counter under lock_guard get every increment of all threads?
#include <mutex>
#include <thread>
#include <vector>

void observe(long long value);

struct Account {
    std::mutex m;
    int balance = 50;
    int deposits = 0;
    void add(int n) {
        std::lock_guard<std::mutex> lock(m);
        balance += n;
        ++deposits;
    }
};
int main() {
    Account account;
    std::vector<std::thread> pool;
    for (int t = 1; t <= 3; ++t)
        pool.emplace_back([&account, t] {
            for (int i = 0; i < 100; ++i) account.add(t);
        });
    for (auto& t : pool) t.join();
    observe(account.balance);
    observe(account.deposits);
}

// what it asks: Does a promise set in another thread give its value through the future?
#include <future>
#include <thread>
#include <utility>

void observe(long long value);

int main() {
    std::promise<int> question, answer;
    std::future<int> q = question.get_future();
    std::future<int> a = answer.get_future();
    std::thread worker([q = std::move(q), answer = std::move(answer)]() mutable {
        answer.set_value(q.get() * 3);
    });
    observe(q.valid() ? 70 : 80);
    question.set_value(14);
    observe(a.get());
    worker.join();
    observe(a.valid() ? 5 : 6);
}

// what it asks: Does get rethrow what the task threw or what set_exception was given?
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>

void observe(long long value);

static int risky(int n) {
    if (n > 2) throw std::runtime_error("too many");
    return n * 11;
}
static int outcome(std::future<int> f) {
    try {
        return f.get();
    } catch (const std::runtime_error& e) {
        return 100 + static_cast<int>(std::string(e.what()).size());
    } catch (const std::future_error&) {
        return 500;
    }
}
int main() {
    observe(outcome(std::async(std::launch::async, risky, 2)));
    observe(outcome(std::async(std::launch::async, risky, 3)));
    std::promise<int> p;
    p.set_exception(std::make_exception_ptr(std::runtime_error("no")));
    observe(outcome(p.get_future()));
    std::future<int> broken;
    {
        std::promise<int> gone;
        broken = gone.get_future();
    }
    observe(outcome(std::move(broken)));
}

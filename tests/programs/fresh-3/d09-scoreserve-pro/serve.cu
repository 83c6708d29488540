#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <condition_variable>
#include <future>
#include <thread>

#include "session.cuh"

struct Args {
    int requests = 200;
    int clients = 3;
};

static Args parse(int argc, char** argv) {
    Args a;
    for (int i = 1; i < argc; ++i) {
        if (!std::strncmp(argv[i], "--requests=", 11)) a.requests = std::atoi(argv[i] + 11);
        else if (!std::strncmp(argv[i], "--clients=", 10)) a.clients = std::atoi(argv[i] + 10);
    }
    return a;
}

struct Job {
    std::vector<float> rows;
    int count;
    std::promise<std::vector<float>> reply;
};

class Dispatcher {
public:
    explicit Dispatcher(Session& s) : session_(s), thread_([this] { loop(); }) {}
    ~Dispatcher() {
        {
            std::lock_guard<std::mutex> g(m_);
            closing_ = true;
        }
        cv_.notify_all();
        thread_.join();
    }
    std::future<std::vector<float>> submit(std::vector<float> rows, int count) {
        Job j{std::move(rows), count, {}};
        auto f = j.reply.get_future();
        {
            std::lock_guard<std::mutex> g(m_);
            jobs_.push_back(std::move(j));
        }
        cv_.notify_one();
        return f;
    }

private:
    void loop() {
        for (;;) {
            std::unique_lock<std::mutex> lock(m_);
            cv_.wait(lock, [&] { return closing_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            Job j = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            j.reply.set_value(session_.infer(j.rows, j.count));
        }
    }
    Session& session_;
    std::mutex m_;
    std::condition_variable cv_;
    std::deque<Job> jobs_;
    bool closing_ = false;
    std::thread thread_;
};

int main(int argc, char** argv) {
    const Args args = parse(argc, argv);
    const auto weights = model_weights();
    Session session({1, 2, 4, 8}, weights);
    std::vector<size_t> wrong(args.clients, 0);
    auto t0 = std::chrono::steady_clock::now();
    {
        Dispatcher dispatcher(session);
        std::vector<std::thread> clients;
        for (int c = 0; c < args.clients; ++c)
            clients.emplace_back([&, c] {
                for (int r = 0; r < args.requests; ++r) {
                    int count = 1 + (r * 5 + c) % 8;
                    std::vector<float> x(count * kFeatures);
                    for (size_t i = 0; i < x.size(); ++i) x[i] = 0.125f * ((i * 11 + r + c * 3) % 17) - 1.f;
                    auto y = dispatcher.submit(x, count).get();
                    std::vector<float> want(count * kClasses);
                    reference_linear(x.data(), weights, calibration_for(session.bucket_of(count)), want.data(), count);
                    for (size_t i = 0; i < want.size(); ++i)
                        wrong[c] += !(std::fabs(y[i] - want[i]) <= 1e-3f * (1.f + std::fabs(want[i])));
                }
            });
        for (auto& t : clients) t.join();
    }
    double sec = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    std::printf("%.0f requests/s\n", args.requests * args.clients / sec);
    size_t total = 0;
    for (size_t w : wrong) total += w;
    if (total) std::printf("WRONG %zu\n", total);
    else std::printf("DONE\n");
    return 0;
}

// Scoring service: clients send feature rows, a batcher collects them and runs the engine.
#include "runtime.h"
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace {
using Row = std::vector<float>;

struct Request {
    Row row;
    std::promise<Row> answer;
};

class Service {
public:
    Service() : engine_(svc::makeModel()), batcher_([this] { serve(); }) {}
    ~Service()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            closing_ = true;
        }
        arrived_.notify_all();
        batcher_.join();
    }

    std::future<Row> submit(Row row)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        waiting_.push_back({std::move(row), {}});
        arrived_.notify_all();
        return waiting_.back().answer.get_future();
    }
    const svc::Engine& engine() const { return engine_; }
private:
    void serve()
    {
        for (;;) {
            std::vector<Request> batch;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                const std::size_t full = engine_.largest();
                arrived_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
                arrived_.wait_for(lock, std::chrono::milliseconds(1),
                                  [&] { return closing_ || waiting_.size() >= full; });
                if (waiting_.empty()) return;
                for (; !waiting_.empty() && batch.size() < full; waiting_.pop_front())
                    batch.push_back(std::move(waiting_.front()));
            }
            std::vector<const float*> rows;
            std::vector<float*> results;
            std::vector<Row> answers(batch.size(), Row(svc::kFeatures));
            for (std::size_t i = 0; i < batch.size(); ++i) {
                rows.push_back(batch[i].row.data());
                results.push_back(answers[i].data());
            }
            engine_.infer(rows, results);
            for (std::size_t i = 0; i < batch.size(); ++i) batch[i].answer.set_value(std::move(answers[i]));
        }
    }

    svc::Engine engine_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Request> waiting_;
    bool closing_ = false;
    std::thread batcher_;
};

// One client: sends bursts of growing size and checks the answers.
int client(Service& service, int id)
{
    int wrong = 0;
    for (int burst = 1; burst <= 6; ++burst) {
        std::vector<Row> rows(burst, Row(svc::kFeatures));
        std::vector<std::future<Row>> answers;
        for (Row& row : rows) {
            for (int i = 0; i < svc::kFeatures; ++i)
                row[i] = 3.f + float((i * 13 + id * 7 + burst * 5 + int(answers.size())) % 29) / 8.f;
            answers.push_back(service.submit(row));
        }
        for (int r = 0; r < burst; ++r) {
            const Row got = answers[r].get();
            for (auto& layer : service.engine().model()) layer->reference(rows[r]);
            bool same = true;
            for (int i = 0; i < svc::kFeatures; ++i) same &= std::fabs(got[i] - rows[r][i]) < 1e-2f;
            wrong += !same;
        }
    }
    return wrong;
}
}  // namespace

int main()
{
    int wrong = 0;
    {
        Service service;
        std::vector<std::future<int>> clients;
        for (int id = 0; id < 4; ++id)
            clients.push_back(std::async(std::launch::async, client, std::ref(service), id));
        for (auto& c : clients) wrong += c.get();
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

#include "replay.h"

#include <condition_variable>
#include <deque>
#include <future>
#include <thread>

using namespace desk;

// The risk desk works in a thread of its own and answers requests for checkpoints.
class RiskDesk {
public:
    explicit RiskDesk(const Book& book) : book_(book), thread_([this] { run(); }) {}
    ~RiskDesk()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            open_ = false;
        }
        wake_.notify_one();
        thread_.join();
    }

    std::future<Snapshot> checkpoint()
    {
        std::promise<Snapshot> promise;
        std::future<Snapshot> result = promise.get_future();
        {
            std::lock_guard<std::mutex> lock(mutex_);
            requests_.push_back(std::move(promise));
        }
        wake_.notify_one();
        return result;
    }

private:
    void run()
    {
        for (;;) {
            std::promise<Snapshot> request;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                wake_.wait(lock, [this] { return !open_ || !requests_.empty(); });
                if (requests_.empty()) return;
                request = std::move(requests_.front());
                requests_.pop_front();
            }
            request.set_value(book_.snapshot());
        }
    }

    const Book& book_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::promise<Snapshot>> requests_;
    bool open_ = true;
    std::thread thread_;
};

static std::vector<Fill> recorded(std::size_t fills, int symbols, unsigned day)
{
    std::vector<Fill> out(fills);
    unsigned state = day * 7919u + 17u;
    for (Fill& f : out) {
        state = state * 1103515245u + 12345u;
        f.symbol = static_cast<int>((state >> 16) % symbols);
        f.quantity = static_cast<int>((state >> 8) % 201) - 100;
    }
    return out;
}

int main()
{
    constexpr int kSymbols = 64;
    constexpr std::size_t kFills = 20000;
    constexpr int kSessions = 3;
    constexpr int kBatches = 4;

    Book book(kSymbols);
    ReplayEngine engine(book, kSymbols, kFills);
    book.attach(&engine);
    RiskDesk risk(book);

    std::vector<int> expected(kSymbols, 0);
    int wrong = 0;
    unsigned day = 0;
    for (int session = 0; session < kSessions; ++session) {
        for (int b = 0; b < kBatches; ++b) {
            std::vector<Fill> batch = recorded(kFills, kSymbols, ++day);
            for (const Fill& f : batch) expected[f.symbol] += f.quantity;
            engine.submit(batch);
        }
        Snapshot s = risk.checkpoint().get();
        std::printf("session %d: %llu batches, gross %lld\n", session,
                    static_cast<unsigned long long>(s.batches), s.gross);
        if (s.batches != day) ++wrong;
        for (int i = 0; i < kSymbols; ++i)
            if (s.net[i] != expected[i]) ++wrong;
    }

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}

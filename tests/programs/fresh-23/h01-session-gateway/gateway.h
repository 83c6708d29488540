#pragma once

#include "device_buffer.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

namespace gw {

struct Order {
    int session;
    int level;
    int quantity;
};
struct Logoff {
    int session;
};
struct Shutdown {};
using Event = std::variant<Order, Logoff, Shutdown>;

struct GatewayConfig {
    int levels = 1 << 20;
    int window = 256;
    int threads = 128;
};

enum class Command : int { None = 0, Apply = 1, Halt = 2 };

// Shared between the matching kernel and the gateway thread, one cache line each way.
struct alignas(128) Mailbox {
    volatile unsigned request;
    volatile int command;
    volatile int level;
    volatile int quantity;
    long long* volatile ladder;
    alignas(128) volatile unsigned reply;
    volatile long long exposure;
};

struct Statement {
    int session;
    long long exposure;
};

class Gateway {
public:
    explicit Gateway(GatewayConfig config);
    ~Gateway();
    void logon(int session);
    void open();
    void post(Event event);
    std::vector<Statement> close();

private:
    struct Session {
        explicit Session(int levels) : ladder(levels) {}
        DeviceBuffer<long long> ladder;
        long long exposure = 0;
    };

    void run();
    void handle(const Order& order);
    void handle(const Logoff& logoff);
    long long transact(Command command, long long* ladder, int level, int quantity);
    std::optional<Event> take();

    GatewayConfig config_;
    cudaStream_t engine_ = nullptr;
    Mailbox* mailbox_ = nullptr;
    unsigned sequence_ = 0;
    std::unordered_map<int, Session> sessions_;
    std::vector<Statement> statements_;

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Event> inbox_;
    std::thread worker_;
};

}  // namespace gw

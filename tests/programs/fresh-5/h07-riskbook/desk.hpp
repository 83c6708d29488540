#pragma once

#include "gpu.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct Mailbox {
    volatile unsigned request = 0;
    volatile unsigned reply = 0;
    volatile int closing = 0;
    const int* volatile positions = nullptr;
    volatile int count = 0;
    volatile int price = 0;
    volatile long long exposure = 0;
};

struct Book {
    std::shared_ptr<int> positions;
    int count = 0;
    int expiry = 0;
};

class RiskDesk {
public:
    RiskDesk();
    ~RiskDesk();

    void open(const std::string& name, const std::vector<int>& positions, int expiry);
    void start();
    void stop();

    // Marks a book to market at the given price.
    std::optional<long long> value(const std::string& name, int price);

    // Takes every book off the desk that expires on or before the given day.
    std::size_t expire(int day);

private:
    using Shelf = std::map<std::string, Book>;

    Shelf books_;
    std::vector<Shelf::node_type> archive_;
    gpu::stream stream_;
    std::unique_ptr<Mailbox, void (*)(Mailbox*)> box_;
    unsigned sequence_ = 0;
    bool running_ = false;
};

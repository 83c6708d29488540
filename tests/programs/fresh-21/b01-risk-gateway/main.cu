#include <atomic>
#include <map>
#include <memory>
#include <thread>
#include "engine.cuh"

namespace gw {

struct Settings {
    int accounts = 1 << 20;
    int batches = 40;
    unsigned batch_size = 600;
    long long base_limit = 40000;
};

std::vector<long long> make_limits(const Settings& settings) {
    std::vector<long long> limits(settings.accounts);
    for (int a = 0; a < settings.accounts; ++a) limits[a] = settings.base_limit + 25 * (a % 997);
    return limits;
}

class Gateway {
public:
    explicit Gateway(const Settings& settings)
        : limits_(settings.accounts), turnover_(settings.accounts) {
        const std::vector<long long> limits = make_limits(settings);
        limits_.assign(limits, stream_);
        turnover_.fill_zero(stream_);
        GW_CHECK(cudaStreamSynchronize(stream_));
        engine_.start(stream_, mailbox_.get(), limits_.data(), turnover_.data());
    }

    std::vector<Verdict> submit(const std::vector<Order>& orders) {
        const unsigned begin = mailbox_->posted, end = begin + static_cast<unsigned>(orders.size());
        for (unsigned i = begin; i != end; ++i) {
            volatile Order& slot = mailbox_->orders[i % kDepth];
            const Order& order = orders[i - begin];
            slot.id = order.id, slot.account = order.account;
            slot.quantity = order.quantity, slot.price = order.price;
        }
        std::atomic_thread_fence(std::memory_order_seq_cst);
        mailbox_->posted = end;
        while (mailbox_->answered != end) std::this_thread::yield();
        std::atomic_thread_fence(std::memory_order_seq_cst);

        std::vector<Verdict> verdicts(orders.size());
        for (unsigned i = begin; i != end; ++i) {
            const volatile Verdict& slot = mailbox_->verdicts[i % kDepth];
            verdicts[i - begin] = {slot.id, slot.accepted, slot.turnover};
        }
        return verdicts;
    }

private:
    Stream stream_;
    PinnedObject<Mailbox> mailbox_;
    Engine engine_;
    DeviceArray<long long> limits_;
    DeviceArray<unsigned long long> turnover_;
};

// The desk keeps its own books to reconcile with the gateway at the close.
class Books {
public:
    explicit Books(const Settings& settings) : limits_(make_limits(settings)) {}

    int reconcile(const std::vector<Order>& orders, const std::vector<Verdict>& verdicts) {
        for (const Order& order : orders) {
            if (accepts(order)) turnover_[order.account] += 1ll * order.quantity * order.price;
        }
        int breaks = 0;
        for (std::size_t i = 0; i < orders.size(); ++i) {
            const Order& order = orders[i];
            const Verdict& verdict = verdicts[i];
            breaks += verdict.id != order.id || (verdict.accepted != 0) != accepts(order) ||
                      verdict.turnover != turnover_[order.account];
        }
        return breaks;
    }

private:
    bool accepts(const Order& order) const { return 1ll * order.quantity * order.price <= limits_[order.account]; }

    std::vector<long long> limits_;
    std::map<int, long long> turnover_;
};

std::vector<Order> make_batch(const Settings& settings, int batch) {
    std::vector<Order> orders(settings.batch_size);
    unsigned state = 2463534242u + 7919u * batch;
    auto draw = [&state](unsigned bound) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        return static_cast<int>(state % bound);
    };
    for (std::size_t i = 0; i < orders.size(); ++i) {
        orders[i].id = batch * static_cast<int>(settings.batch_size) + static_cast<int>(i);
        orders[i].account = draw(64) * (settings.accounts / 64) + 3;
        orders[i].quantity = 1 + draw(500), orders[i].price = 20 + draw(180);
    }
    return orders;
}

int trade(const Settings& settings) {
    auto gateway = std::make_unique<Gateway>(settings);
    Books books(settings);
    int breaks = 0;
    for (int batch = 0; batch < settings.batches; ++batch) {
        const std::vector<Order> orders = make_batch(settings, batch);
        breaks += books.reconcile(orders, gateway->submit(orders));
    }
    return breaks;
}

}  // namespace gw

int main() {
    const int breaks = gw::trade(gw::Settings{});
    if (breaks != 0) {
        std::printf("WRONG %d\n", breaks);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}

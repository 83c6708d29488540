#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device_buffer.h"
#include "matcher.h"
#include "session.h"

namespace gw {

void fatal(const char* name) {
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

class Gateway {
public:
    explicit Gateway(const GatewayConfig& config) : config_(config), matcher_(config) {
        GW_CUDA(cudaStreamCreateWithFlags(&reports_, cudaStreamNonBlocking));
        GW_CUDA(cudaMallocHost(reinterpret_cast<void**>(&page_), config.orders_per_session * sizeof(Fill)));
        for (int id = 0; id < config.sessions; ++id) directory_.admit(id, config);
        GW_CUDA(cudaDeviceSynchronize());
        matcher_.open();
    }

    ~Gateway() {
        shutdown();
        cudaFreeHost(page_);
        cudaStreamDestroy(reports_);
    }

    void trade(std::uint32_t id, std::int32_t price, std::int32_t qty) {
        matcher_.post(directory_.find(id)->next(price, qty));
    }

    std::vector<Fill> logout(std::uint32_t id) {
        matcher_.settle();
        std::vector<Fill> fills;
        {
            auto session = directory_.find(id);
            GW_CUDA(cudaMemcpyAsync(page_, session->journal(), session->sent() * sizeof(Fill),
                                    cudaMemcpyDeviceToHost, reports_));
            GW_CUDA(cudaStreamSynchronize(reports_));
            fills.assign(page_, page_ + session->sent());
        }
        directory_.dismiss(id);
        return fills;
    }

    void shutdown() {
        matcher_.close();
        directory_.clear();
    }

    std::int32_t last_reference() const { return matcher_.last_reference(); }

private:
    GatewayConfig config_;
    SessionDirectory directory_;
    Matcher matcher_;
    cudaStream_t reports_ = nullptr;
    Fill* page_ = nullptr;
};

}  // namespace gw

namespace {

std::int32_t quote(std::uint32_t session, std::uint32_t n) {
    return 9900 + static_cast<std::int32_t>((session * 131u + n * 37u) % 211u);
}

std::int32_t lot(std::uint32_t session, std::uint32_t n) {
    return 2 + static_cast<std::int32_t>((session * 17u + n * 5u) % 90u);
}

}  // namespace

int main() {
    gw::GatewayConfig config;
    gw::Gateway gateway(config);
    std::int32_t reference = config.opening_price;
    int wrong = 0;

    for (std::uint32_t id = 0; id < static_cast<std::uint32_t>(config.sessions); ++id) {
        for (std::uint32_t n = 0; n < config.orders_per_session; ++n)
            gateway.trade(id, quote(id, n), lot(id, n));
        const std::vector<gw::Fill> fills = gateway.logout(id);
        for (std::uint32_t n = 0; n < config.orders_per_session; ++n) {
            const std::int32_t price = quote(id, n), qty = lot(id, n);
            const std::int32_t expected = price >= reference ? qty : qty / 2;
            if (fills[n].qty != expected || fills[n].reference != reference) ++wrong;
            reference = (reference * 7 + price) / 8;
        }
    }
    gateway.shutdown();
    if (gateway.last_reference() != reference) ++wrong;

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}

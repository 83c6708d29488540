// Quote filter: a kernel stays on the device during a session and answers every quote.
#include <vector>

#include "desk/resident.h"
#include "desk/risk.h"

namespace desk {

class Desk {
public:
    struct Totals {
        int wrong = 0;
        int quotes = 0;
        int risk_checks = 0;
    };

    Desk() : filter_(mailbox_), model_(kSymbols * kLags) {}

    void open(const std::vector<int32_t>& shifts) {
        shifts_ = shifts;
        filter_.load_shifts(shifts);
        filter_.launch();
    }

    // Replaces the filter constants between two sessions; the levels of the book are kept.
    void roll(const std::vector<int32_t>& shifts) {
        filter_.retire();
        open(shifts);
    }

    void close() { filter_.retire(); }

    void session(int quotes) {
        int sent = 0;
        int received = 0;
        std::vector<Quote> history;
        history.reserve(quotes);
        while (received < quotes) {
            while (sent < quotes) {
                const Quote q = next_quote(sent);
                if (!mailbox_.try_push(q)) break;
                history.push_back(q);
                advance();
                ++sent;
            }
            Signal s;
            while (received < sent && mailbox_.try_pop(s)) {
                settle(history[received], s);
                ++received;
                if (received % 250 == 0) check_risk();
            }
        }
        totals_.quotes += received;
    }

    const Totals& totals() const { return totals_; }

private:
    Quote next_quote(int n) const {
        Quote q;
        q.sequence = static_cast<uint32_t>(n);
        q.symbol = (seed_ >> 7) % kSymbols;
        q.price = 1000 + static_cast<int32_t>((seed_ >> 13) % 400);
        q.size = 1 + static_cast<int32_t>((seed_ >> 3) % 50);
        return q;
    }

    void advance() { seed_ = seed_ * 1664525u + 1013904223u; }

    void settle(const Quote& q, const Signal& s) {
        int32_t want = 0;
        for (int lag = 0; lag < kLags; ++lag) {
            int32_t& level = model_[q.symbol * kLags + lag];
            level += (q.price * 16 - level) / (1 << shifts_[lag]);
            want += lag % 2 ? -level : level;
        }
        if (s.sequence != q.sequence || s.symbol != q.symbol || s.value != want) ++totals_.wrong;
        risk_.book(q.symbol, s.value > 0 ? -q.size : q.size);
    }

    void check_risk() {
        if (risk_.exposure() != risk_.expected()) ++totals_.wrong;
        ++totals_.risk_checks;
    }

    Mailbox mailbox_;
    RiskMonitor risk_;
    ResidentFilter filter_;
    std::vector<int32_t> model_;
    std::vector<int32_t> shifts_;
    uint32_t seed_ = 20240611u;
    Totals totals_;
};

std::vector<int32_t> shift_table(int offset) {
    std::vector<int32_t> t(kLags);
    for (int i = 0; i < kLags; ++i) t[i] = 1 + (i * 3 + offset) % 7;
    return t;
}

}  // namespace desk

int main() {
    desk::Desk d;
    d.open(desk::shift_table(0));
    d.session(3000);
    d.roll(desk::shift_table(2));
    d.session(3000);
    d.roll(desk::shift_table(5));
    d.session(1500);
    d.close();

    const desk::Desk::Totals& t = d.totals();
    std::printf("quotes %d risk checks %d\n", t.quotes, t.risk_checks);
    if (t.wrong) {
        std::printf("WRONG %d\n", t.wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}

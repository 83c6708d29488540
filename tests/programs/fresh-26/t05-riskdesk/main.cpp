// End-of-day revaluation: several desks revalue their books against one pricing session.
#include "session.h"
#include <cmath>
#include <future>
#include <string>
#include <thread>

using namespace risk;

namespace {

std::vector<double> makeCurve() {
    std::vector<double> points(kCurvePoints);
    for (int i = 0; i < kCurvePoints; ++i) points[i] = std::exp(-0.0001 * i);
    return points;
}

struct Book {
    std::string desk;
    std::vector<Trade> trades;
};

Book makeBook(const std::string& desk, int seed, int size) {
    Book book{desk, {}};
    for (int i = 0; i < size; ++i) {
        const int r = seed * 7919 + i * 104729;
        book.trades.push_back(Trade{r % 200, 20 + r % 150, 10.0 + r % 90});
    }
    return book;
}

struct BookValue {
    double total = 0.0;
    long off = 0;
};

double reference(const Trade& t, const std::vector<double>& curve) {
    double v = 0.0;
    for (int i = 0; i < t.coupons; ++i) v += t.amount * curve[(t.firstCoupon + i) % kCurvePoints];
    return v;
}

class Revaluation {
public:
    explicit Revaluation(std::vector<double> curve) : curve_(std::move(curve)) {}

    long run(const std::vector<Book>& books) {
        PricingSession session(curve_);
        std::vector<std::future<BookValue>> desks;
        for (const auto& book : books)
            desks.push_back(std::async(std::launch::async, [&session, &book, this] { return value(session, book); }));
        long off = 0;
        for (std::size_t i = 0; i < desks.size(); ++i) {
            const BookValue v = desks[i].get();
            std::printf("%s %.2f\n", books[i].desk.c_str(), v.total);
            off += v.off;
        }
        return off;
    }

private:
    BookValue value(PricingSession& session, const Book& book) const {
        BookValue out;
        for (const auto& t : book.trades) {
            const double v = session.price(t);
            out.total += v;
            out.off += std::fabs(v - reference(t, curve_)) > 1e-7 * std::fabs(v);
        }
        return out;
    }

    std::vector<double> curve_;
};

}  // namespace

int main() {
    Revaluation eod(makeCurve());
    const long off = eod.run({makeBook("rates", 1, 200), makeBook("credit", 2, 150), makeBook("munis", 3, 100)});
    if (off) std::printf("WRONG %ld\n", off);
    else std::printf("DONE\n");
    return 0;
}

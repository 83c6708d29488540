#include <cstdio>
#include <future>
#include <memory>
#include <vector>

#include "replay.h"

namespace {

constexpr int kLanes = 3;
constexpr int kTicks = 1 << 18;

class Session {
public:
    Session() {
        for (int i = 0; i < kLanes; ++i) lanes_.push_back(std::make_unique<replay::Lane>(i, kTicks));
        for (auto& lane : lanes_) lane->warmUp();
    }

    int trade() {
        replay::CountDown armed(kLanes);
        std::vector<std::future<int>> books;
        for (auto& lane : lanes_)
            books.push_back(std::async(std::launch::async, [&armed, &lane, this] {
                struct Arrival {
                    replay::CountDown& c;
                    bool sent = false;
                    void send() { if (!sent) { sent = true; c.arrive(); } }
                    ~Arrival() { send(); }
                } arrival{armed};
                lane->arm(bell_);
                arrival.send();
                return lane->settle();
            }));
        armed.wait();
        bell_.ring();
        int wrong = 0;
        for (auto& book : books) wrong += book.get();
        return wrong;
    }

private:
    replay::OpeningBell bell_;
    std::vector<std::unique_ptr<replay::Lane>> lanes_;
};

}  // namespace

int main() {
    try {
        Session session;
        const int wrong = session.trade();
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
        return wrong != 0;
    } catch (const replay::ReplayError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}

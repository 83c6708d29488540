// what it asks: Do two threads that wait for their turn alternate strictly?
#include <condition_variable>
#include <mutex>
#include <thread>

void observe(long long value);

int main() {
    std::mutex m;
    std::condition_variable cv;
    int turn = 0, trace = 0;
    auto player = [&](int me, int mark) {
        for (int i = 0; i < 3; ++i) {
            std::unique_lock<std::mutex> lock(m);
            cv.wait(lock, [&] { return turn == me; });
            trace = trace * 10 + mark + i;
            turn = 1 - me;
            cv.notify_all();
        }
    };
    std::thread ping(player, 0, 1);
    std::thread pong(player, 1, 5);
    ping.join();
    pong.join();
    observe(trace);
    observe(turn + 8);
}

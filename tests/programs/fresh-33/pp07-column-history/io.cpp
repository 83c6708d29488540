/* io.cpp - the I/O thread */
#include "model.h"
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

static std::mutex                    lock;
static std::condition_variable       arrived, freed;
static std::deque<struct io_slot *>  queue;
static bool                          closing;
static std::thread                   worker;
static std::vector<struct io_record> archive;

static void io_main(void) {
    for (;;) {
        struct io_slot *s;
        {
            std::unique_lock<std::mutex> g(lock);
            arrived.wait(g, [] { return closing || !queue.empty(); });
            if (queue.empty())
                return;
            s = queue.front();
            queue.pop_front();
        }
        struct io_record r;
        r.step = s->step;
        r.values.assign(s->stage, s->stage + NREC);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        archive.push_back(std::move(r));
        s->on_stored(s);
    }
}

void io_open(void) {
    worker = std::thread(io_main);
}

struct io_slot *io_acquire(struct io_slot *slots, int n) {
    std::unique_lock<std::mutex> g(lock);
    for (;;) {
        for (int k = 0; k < n; ++k)
            if (!slots[k].busy) {
                slots[k].busy = true;
                return &slots[k];
            }
        freed.wait(g);
    }
}

void io_submit(struct io_slot *slot) {
    std::lock_guard<std::mutex> g(lock);
    queue.push_back(slot);
    arrived.notify_one();
}

void io_release(struct io_slot *slot) {
    std::lock_guard<std::mutex> g(lock);
    slot->busy = false;
    freed.notify_one();
}

void io_close(void) {
    {
        std::lock_guard<std::mutex> g(lock);
        closing = true;
    }
    arrived.notify_one();
    worker.join();
}

const std::vector<struct io_record> &io_archive(void) {
    return archive;
}

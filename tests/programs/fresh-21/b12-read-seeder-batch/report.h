#pragma once
#include <future>
#include <sstream>
#include <string>
#include "bounded_queue.h"
#include "seeder.h"

struct Header {
    int batches = 0;
    unsigned long long seeds = 0;
};

// Formats the results of a run on a thread of its own.
class ReportWriter {
public:
    ReportWriter(BoundedQueue<BatchView>& queue, int batches, std::future<Header> header)
        : queue_(queue),
          batches_(batches),
          header_(std::move(header)),
          text_(std::async(std::launch::async, [this] { return compose(); })) {}

    std::string text() { return text_.get(); }

private:
    std::string compose() {
        std::ostringstream out;
        const Header header = header_.get();
        out << "batches " << header.batches << " seeds " << header.seeds << "\n";
        for (int i = 0; i < batches_; ++i) {
            const BatchView view = queue_.pop();
            section(out, view);
        }
        return out.str();
    }

    static void section(std::ostream& out, const BatchView& view) {
        long long sum = 0;
        int richest = 0;
        for (int read = 0; read < view.reads; ++read) {
            sum += static_cast<long long>(view.seeds[read]) * (read % 7 + 1);
            if (view.seeds[read] > view.seeds[richest]) richest = read;
        }
        out << "batch " << view.batch << " digest " << sum << " richest " << richest << "\n";
    }

    BoundedQueue<BatchView>& queue_;
    int batches_;
    std::future<Header> header_;
    std::future<std::string> text_;
};

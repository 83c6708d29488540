#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace suite {

using Clock = std::chrono::steady_clock;

struct BenchError {
    std::string name;
};

inline void good(cudaError_t e) {
    if (e != cudaSuccess) throw BenchError{cudaGetErrorName(e)};
}

inline double ms_between(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double, std::milli>(b - a).count();
}

using Work = std::function<void(cudaStream_t, int)>;

class Probe {
public:
    virtual ~Probe() = default;
    virtual std::string name() const = 0;
    // Milliseconds per call of `work`.
    virtual double measure(cudaStream_t stream, const Work& work, int first, int calls) = 0;
};

// Every request on its own: from submission until its completion is seen.
class RequestProbe : public Probe {
public:
    std::string name() const override { return "request"; }

    double measure(cudaStream_t stream, const Work& work, int first, int calls) override {
        double sum = 0;
        for (int c = 0; c < calls; ++c) {
            auto ticket = std::make_unique<Ticket>();
            std::future<Clock::time_point> arrival = ticket->promise.get_future();
            const auto sent = Clock::now();
            work(stream, first + c);
            good(cudaLaunchHostFunc(stream, &RequestProbe::arrived, ticket.get()));
            ticket.release();
            sum += ms_between(sent, arrival.get());
        }
        return sum / calls;
    }

private:
    struct Ticket {
        std::promise<Clock::time_point> promise;
    };
    static void CUDART_CB arrived(void* p) {
        std::unique_ptr<Ticket> t(static_cast<Ticket*>(p));
        t->promise.set_value(Clock::now());
    }
};

// All requests at once: from the first submission until the queue is empty.
class QueueProbe : public Probe {
public:
    QueueProbe() { good(cudaEventCreateWithFlags(&tail_, cudaEventDisableTiming)); }
    ~QueueProbe() override { cudaEventDestroy(tail_); }

    std::string name() const override { return "queue"; }

    double measure(cudaStream_t stream, const Work& work, int first, int calls) override {
        const auto sent = Clock::now();
        for (int c = 0; c < calls; ++c) work(stream, first + c);
        good(cudaEventRecord(tail_, stream));
        while (!drained()) std::this_thread::yield();
        return ms_between(sent, Clock::now()) / calls;
    }

private:
    bool drained() const {
        const cudaError_t e = cudaEventQuery(tail_);
        if (e == cudaErrorNotReady) {
            cudaGetLastError();
            return false;
        }
        good(e);
        return true;
    }

    cudaEvent_t tail_ = nullptr;
};

// As seen by a client on another thread, which shares only a pair of dates
// with the one that submits.
class ClientProbe : public Probe {
public:
    std::string name() const override { return "client"; }

    double measure(cudaStream_t stream, const Work& work, int first, int calls) override {
        Diary diary;
        std::promise<cudaEvent_t> handover;
        std::future<cudaEvent_t> handed = handover.get_future();
        std::thread client([&] {
            const cudaEvent_t e = handed.get();
            if (e) diary.outcome = cudaEventSynchronize(e);
            diary.end = Clock::now();
        });
        cudaEvent_t last = nullptr;
        try {
            good(cudaEventCreateWithFlags(&last, cudaEventDisableTiming | cudaEventBlockingSync));
            diary.begin = Clock::now();
            for (int c = 0; c < calls; ++c) work(stream, first + c);
            good(cudaEventRecord(last, stream));
        } catch (...) {
            handover.set_value(nullptr);
            client.join();
            throw;
        }
        handover.set_value(last);
        client.join();
        cudaEventDestroy(last);
        good(diary.outcome);
        return ms_between(diary.begin, diary.end) / calls;
    }

private:
    struct Diary {
        Clock::time_point begin, end;
        cudaError_t outcome = cudaSuccess;
    };
};

}  // namespace suite

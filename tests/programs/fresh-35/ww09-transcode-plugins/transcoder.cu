// Transcoder host: four sessions run the same filter chain side by side.
#include "plugin_api.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

constexpr int kSessions = 4;
constexpr int kFrames = 5;
constexpr std::size_t kPixels = 1 << 14;

void orDie(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

unsigned source(int session, int i) { return session * 7919u + i * 31u + 3u; }

}  // namespace

struct tc_session {
    int id = 0;
    cudaStream_t queue = nullptr;
    unsigned *frame = nullptr;
    void *scratch = nullptr;
    std::size_t scratchBytes = 0;
    std::size_t charged = 0;          // what the accounting sees
    cudaError_t error = cudaSuccess;
};

namespace {

// Scratch is charged to the session by its exact size.
void *serveScratch(tc_session *s, std::size_t bytes)
{
    if (s->scratchBytes != bytes) {
        orDie(cudaFree(s->scratch));
        orDie(cudaMalloc(&s->scratch, bytes));
        s->scratchBytes = bytes;
        s->charged = kPixels * sizeof(unsigned) + bytes;
    }
    return s->scratch;
}
unsigned *serveFrame(tc_session *s) { return s->frame; }
std::size_t servePixels(tc_session *) { return kPixels; }
cudaStream_t serveQueue(tc_session *s) { return s->queue; }
void takeReport(tc_session *s, cudaError_t e)
{
    if (s->error == cudaSuccess) s->error = e;
}

constexpr tc_services kServices{serveScratch, serveFrame, servePixels, serveQueue, takeReport};

struct CloseSession {
    void operator()(tc_session *s) const
    {
        cudaFree(s->scratch);
        cudaFree(s->frame);
        cudaStreamDestroy(s->queue);
        delete s;
    }
};
using SessionPtr = std::unique_ptr<tc_session, CloseSession>;

SessionPtr openSession(int id)
{
    SessionPtr s(new tc_session);
    s->id = id;
    orDie(cudaStreamCreateWithFlags(&s->queue, cudaStreamNonBlocking));
    orDie(cudaMalloc(&s->frame, kPixels * sizeof(unsigned)));
    std::vector<unsigned> px(kPixels);
    for (std::size_t i = 0; i < kPixels; ++i) px[i] = source(id, static_cast<int>(i));
    orDie(cudaMemcpy(s->frame, px.data(), kPixels * sizeof(unsigned), cudaMemcpyHostToDevice));
    return s;
}

using Chain = std::vector<const tc_filter *>;

void transcode(std::vector<SessionPtr> &sessions, const Chain &chain, int frames)
{
    for (int f = 0; f < frames; ++f)
        for (const tc_filter *filter : chain)
            for (auto &s : sessions) filter->enqueue(&kServices, s.get());
    for (auto &s : sessions) {
        orDie(s->error);
        orDie(cudaStreamSynchronize(s->queue));
    }
}

int verify(const std::vector<SessionPtr> &sessions, const Chain &chain, int frames)
{
    int wrong = 0;
    std::vector<unsigned> px(kPixels);
    for (auto &s : sessions) {
        orDie(cudaMemcpy(px.data(), s->frame, kPixels * sizeof(unsigned), cudaMemcpyDeviceToHost));
        for (std::size_t i = 0; i < kPixels; ++i) {
            unsigned p = source(s->id, static_cast<int>(i));
            for (int f = 0; f < frames; ++f)
                for (const tc_filter *filter : chain) p = filter->model(p);
            wrong += p != px[i];
        }
    }
    return wrong;
}

}  // namespace

int main()
{
    Chain chain;
    for (const char *name : {"deblock", "sharpen"}) chain.push_back(tc::findFilter(name));

    std::vector<SessionPtr> sessions;
    for (int i = 0; i < kSessions; ++i) sessions.push_back(openSession(i));
    orDie(cudaDeviceSynchronize());
    transcode(sessions, chain, 1);
    orDie(cudaDeviceSynchronize());

    const auto t0 = std::chrono::steady_clock::now();
    transcode(sessions, chain, kFrames);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - t0;

    const double chainTime = kFrames * chain.size() * tc::kFilterNs * 1e-9;
    const double ratio = took.count() / chainTime;
    const int wrong = verify(sessions, chain, kFrames + 1);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}

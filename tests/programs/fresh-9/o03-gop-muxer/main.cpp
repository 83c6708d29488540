#include "encoder.h"
#include <thread>

using namespace vid;

// Writes whole groups of pictures, in order, into the container.
class Muxer {
public:
    Muxer(const Config& cfg, BlockingQueue<Packet>& packets, BlockingQueue<Gop>& gops)
        : cfg_(cfg), packets_(packets), gops_(gops), thread_([this] { run(); }) {}

    int finish() {
        thread_.join();
        return wrong_;
    }

private:
    void run() {
        for (int g = 0; g < cfg_.gops; ++g) {
            Gop gop = gops_.pop();
            CU_OK(cudaEventSynchronize(gop.encoded));
            for (int f = 0; f < cfg_.framesPerGop; ++f) write(packets_.pop(), gop.index, f);
        }
    }

    void write(const Packet& p, int gop, int frame) {
        if (p.gop != gop || p.frame != frame) ++wrong_;
        for (int i = 0; i < cfg_.macroblocks; ++i)
            if (p.payload[i] != macroblockBits(gop, frame, i)) ++wrong_;
    }

    Config cfg_;
    BlockingQueue<Packet>& packets_;
    BlockingQueue<Gop>& gops_;
    int wrong_ = 0;
    std::thread thread_;
};

int main() {
    Config cfg;
    BlockingQueue<Packet> packets(cfg.muxDepth);
    BlockingQueue<Gop> gops;
    int wrong;
    {
        Encoder encoder(cfg, packets, gops);
        Muxer muxer(cfg, packets, gops);
        for (int g = 0; g < cfg.gops; ++g) encoder.encodeGop(g);
        wrong = muxer.finish();
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}

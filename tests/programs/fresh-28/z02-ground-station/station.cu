#include <array>
#include "codec.h"
#include "tracker.h"

class GroundStation {
public:
    explicit GroundStation(const LinkConfig& cfg)
        : cfg_(cfg), tracker_(cfg), codecs_{makeInnerCodec(), makeOuterCodec()}
    {
        CU_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        CU_OK(cudaHostAlloc(reinterpret_cast<void**>(&digest_), 4, cudaHostAllocMapped));
        CU_OK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&digestDevice_), digest_, 0));
    }
    ~GroundStation() { cudaFreeHost(digest_); }
    bool powerOnTest()
    {
        for (auto& codec : codecs_)
            if (!codec->selfTest(stream_)) return false;
        return true;
    }
    int receivePass()
    {
        int bad = 0;
        std::vector<unsigned char> expected(cfg_.symbolsPerFrame);
        tracker_.start();
        tracker_.grant(cfg_.ringSlots);
        for (unsigned seq = 0; seq < cfg_.frames; ++seq) {
            tracker_.waitFrame(seq);
            ICodec& codec = *codecs_[seq < cfg_.outerCodeFrom ? 0 : 1];
            codec.decode(tracker_.slot(seq), cfg_.symbolsPerFrame, digestDevice_, stream_);
            CU_OK(cudaStreamSynchronize(stream_));
            tracker_.grant(seq + 1 + cfg_.ringSlots);

            for (int i = 0; i < cfg_.symbolsPerFrame; ++i) expected[i] = symbolAt(seq, i);
            if (*digest_ != codec.reference(expected.data(), cfg_.symbolsPerFrame)) ++bad;
        }
        tracker_.stop();
        return bad;
    }

private:
    LinkConfig cfg_;
    CarrierTracker tracker_;
    std::array<std::unique_ptr<ICodec>, 2> codecs_;
    cudaStream_t stream_ = nullptr;
    unsigned* digest_ = nullptr;
    unsigned* digestDevice_ = nullptr;
};

int main()
{
    GroundStation station{LinkConfig{}};
    int bad = station.powerOnTest() ? station.receivePass() : -1;
    bad ? std::printf("WRONG %d\n", bad) : std::printf("DONE\n");
    return bad != 0;
}

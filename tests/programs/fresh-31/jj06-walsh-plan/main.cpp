// Spectral filter of two fields over a series of frames.
#include "walsh.h"

using namespace spec;

static std::vector<Word> filtered(std::vector<Word> v, const Weights& w, Word gain) {
    host_walsh(v);
    for (int k = 0; k < kSize; ++k) v[k] *= w.data()[k] * gain;
    host_walsh(v);
    return v;
}

int main() {
    constexpr int frames = 4;
    constexpr size_t bytes = kSize * sizeof(Word);

    std::vector<Word> a(kSize), b(kSize), got(kSize);
    for (int i = 0; i < kSize; ++i) {
        a[i] = (i * 37) % 101;
        b[i] = (i * 53) % 89 - 20;
    }
    Block da = new_block(bytes), db = new_block(bytes), dout = new_block(bytes);
    must(cudaMemcpy(da.get(), a.data(), bytes, cudaMemcpyHostToDevice));
    must(cudaMemcpy(db.get(), b.data(), bytes, cudaMemcpyHostToDevice));
    must(cudaDeviceSynchronize());

    auto weights = std::make_shared<Weights>(kSize);
    std::weak_ptr<Weights> knob = weights;
    Plan plan = make_filter(static_cast<Word*>(da.get()), static_cast<Word*>(db.get()),
                            static_cast<Word*>(dout.get()), std::move(weights));
    StreamPtr line = new_stream();

    int wrong = 0;
    for (int f = 0; f < frames; ++f) {
        std::shared_ptr<Weights> w = knob.lock();
        if (!w) return 2;
        w->shape(f);
        plan.execute(line.get());
        must(cudaMemcpyAsync(got.data(), dout.get(), bytes, cudaMemcpyDeviceToHost, line.get()));
        must(cudaStreamSynchronize(line.get()));
        std::vector<Word> ra = filtered(a, *w, 1), rb = filtered(b, *w, 3);
        for (int i = 0; i < kSize; ++i) wrong += got[i] != ra[i] + rb[i];
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}

#include "vt/pipeline.h"

namespace vt {

uint32_t digest(const uint8_t* p, int n) {
    uint32_t h = 2166136261u;
    for (int i = 0; i < n; ++i) h = (h ^ p[i]) * 16777619u;
    return h;
}

Transcoder::Transcoder(const Format& f, int surfaces)
    : format_(f),
      upload_(make_stream()),
      filter_(make_stream()),
      download_(make_stream()),
      digests_(f.frames, 0u) {
    for (auto& s : state_) {
        s = device_buffer<uint8_t>(f.out_pixels());
        expect(cudaMemsetAsync(s.get(), 0, f.out_pixels(), filter_.get()));
    }
    tickets_.reserve(surfaces);
    for (int i = 0; i < surfaces; ++i) {
        auto s = std::make_unique<Surface>();
        s->host_in = pinned_buffer<uint8_t>(f.pixels());
        s->host_out = pinned_buffer<uint8_t>(f.out_pixels());
        s->device_in = device_buffer<uint8_t>(f.pixels());
        s->device_out = device_buffer<uint8_t>(f.out_pixels());
        s->uploaded = make_event();
        s->filtered = make_event();
        tickets_.push_back({this, s.get()});
        idle_.push(s.get());
        surfaces_.push_back(std::move(s));
    }
}

void CUDART_CB Transcoder::on_ready(void* data) {
    Ticket* t = static_cast<Ticket*>(data);
    t->owner->ready_.push(t->surface);
}

void Transcoder::decode() {
    for (int i = 0; i < format_.frames; ++i) {
        Surface* s = *idle_.pop();
        s->index = i;
        render_source(format_, i, s->host_in.get());
        decoded_.push(s);
    }
    decoded_.close();
}

void Transcoder::submit(Surface& s) {
    uint8_t* previous = state_[(s.index + 1) & 1].get();
    uint8_t* current = state_[s.index & 1].get();

    expect(cudaMemcpyAsync(s.device_in.get(), s.host_in.get(), format_.pixels(), cudaMemcpyHostToDevice, upload_.get()));
    expect(cudaEventRecord(s.uploaded.get(), upload_.get()));

    expect(cudaStreamWaitEvent(filter_.get(), s.uploaded.get(), 0));
    scale_and_denoise(format_, s.device_in.get(), previous, current, filter_.get());
    predict(format_, current, s.device_out.get(), filter_.get());
    expect(cudaEventRecord(s.filtered.get(), filter_.get()));

    expect(cudaStreamWaitEvent(download_.get(), s.filtered.get(), 0));
    expect(cudaMemcpyAsync(s.host_out.get(), s.device_out.get(), format_.out_pixels(), cudaMemcpyDeviceToHost, download_.get()));
    for (Ticket& t : tickets_) {
        if (t.surface == &s) expect(cudaLaunchHostFunc(download_.get(), &Transcoder::on_ready, &t));
    }
}

void Transcoder::dispatch() {
    while (auto s = decoded_.pop()) submit(**s);
    expect(cudaStreamSynchronize(download_.get()));
    ready_.close();
}

void Transcoder::encode() {
    while (auto s = ready_.pop()) {
        Surface& surface = **s;
        digests_[surface.index] = digest(surface.host_out.get(), format_.out_pixels());
        idle_.push(&surface);
    }
}

void Transcoder::run() {
    std::thread encoder([this] { encode(); });
    std::thread decoder([this] { decode(); });
    dispatch();
    decoder.join();
    encoder.join();
}

}  // namespace vt

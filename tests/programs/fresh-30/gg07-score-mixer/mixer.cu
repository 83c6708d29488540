#include "mixer.h"

#include <cstring>

namespace mixer {
namespace {

__device__ void sustain(long long ns) {
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void render(const int16_t* patch, const Note* notes, int count, int* dry) {
    const int f = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (f >= kFrames) return;
    sustain(1500000);
    int sum = 0;
    for (int n = 0; n < count; ++n) sum += voice(patch[patch_index(notes[n], f)], notes[n], f);
    dry[f] = sum;
}

__global__ void master(const int* dry, int* tape, DeskSettings desk) {
    const int f = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (f < kFrames) tape[f] = wet(dry[f], desk, f);
}

constexpr int kThreads = 128;
constexpr int kGrid = kFrames / kThreads;

std::vector<int16_t> synthesize(int instrument) {
    std::vector<int16_t> pcm(kPatchLength);
    for (int i = 0; i < kPatchLength; ++i) pcm[static_cast<size_t>(i)] = patch_sample(instrument, i);
    return pcm;
}

void CUDART_CB let_go(void* p) { delete static_cast<SheetShelf::Sheet*>(p); }

}  // namespace

DeskSettings settings_for(int mood) {
    DeskSettings d{};
    d.master = 1 + mood % 5;
    for (int i = 0; i < 8; ++i) d.pan[i] = mood * (i - 3);
    for (int i = 0; i < 16; ++i) d.echo_taps[i] = (mood ^ i) & 31;
    return d;
}

Patch::Patch(int instrument, cudaStream_t stream) {
    check(cudaMalloc(reinterpret_cast<void**>(&samples_), kPatchLength * sizeof(int16_t)));
    const std::vector<int16_t> pcm = synthesize(instrument);
    check(cudaMemcpyAsync(samples_, pcm.data(), pcm.size() * sizeof(int16_t), cudaMemcpyHostToDevice, stream));
}

Patch::~Patch() { cudaFree(samples_); }

Desk::Desk(int blocks, size_t sheets) : blocks_(blocks), shelf_(sheets, kMaxNotes * sizeof(Note)) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMalloc(reinterpret_cast<void**>(&tape_), static_cast<size_t>(blocks) * kFrames * sizeof(int)));
}

Desk::~Desk() {
    cudaStreamSynchronize(stream_);
    patch_.reset();
    cudaFree(tape_);
    cudaStreamDestroy(stream_);
}

void Desk::insert(int instrument) { patch_ = std::make_unique<Patch>(instrument, stream_); }

bool Desk::play(int block, const std::vector<Note>& notes, int mood) {
    SheetShelf::Sheet sheet = shelf_.take();
    if (!sheet) return false;
    const size_t bytes = notes.size() * sizeof(Note);
    std::memcpy(sheet.get(), notes.data(), bytes);

    Note* score = nullptr;
    int* dry = nullptr;
    check(cudaMallocAsync(reinterpret_cast<void**>(&score), bytes, stream_));
    check(cudaMallocAsync(reinterpret_cast<void**>(&dry), kFrames * sizeof(int), stream_));
    check(cudaMemcpyAsync(score, sheet.get(), bytes, cudaMemcpyHostToDevice, stream_));

    auto holder = std::make_unique<SheetShelf::Sheet>(std::move(sheet));
    check(cudaLaunchHostFunc(stream_, let_go, holder.get()));
    holder.release();

    const DeskSettings desk = settings_for(mood);
    render<<<kGrid, kThreads, 0, stream_>>>(patch_->samples(), score, static_cast<int>(notes.size()), dry);
    check(cudaGetLastError());
    check(cudaFreeAsync(score, stream_));
    master<<<kGrid, kThreads, 0, stream_>>>(dry, tape_ + static_cast<size_t>(block) * kFrames, desk);
    check(cudaGetLastError());
    check(cudaFreeAsync(dry, stream_));
    return true;
}

std::vector<int> Desk::tape() {
    std::vector<int> out(static_cast<size_t>(blocks_) * kFrames);
    check(cudaMemcpyAsync(out.data(), tape_, out.size() * sizeof(int), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    return out;
}

}  // namespace mixer

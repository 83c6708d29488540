#include "tray.h"

namespace press {

Sheet::Sheet(Tray* home, std::size_t cells) : home_(home) {
    ok(cudaMalloc(&cells_, cells * sizeof(float)));
    ok(cudaEventCreateWithFlags(&settled_, cudaEventDisableTiming));
}

Sheet::~Sheet() {
    cudaEventDestroy(settled_);
    cudaFree(cells_);
}

Tray::Tray(int sheets, std::size_t cells) {
    for (int i = 0; i < sheets; ++i) sheets_.push_back(std::make_unique<Sheet>(this, cells));
}

Sheet& Tray::nextFree() {
    for (auto& sheet : sheets_)
        if (!sheet->out_) return *sheet;
    Sheet& oldest = *underway_.front();
    oldest.settle();
    return oldest;
}

Sheet& Tray::draw(int page) {
    std::lock_guard<std::mutex> lock(desk_);
    Sheet& sheet = nextFree();
    sheet.out_ = true;
    sheet.page_ = page;
    return sheet;
}

void Tray::send(Sheet& sheet, cudaStream_t stream) {
    {
        std::lock_guard<std::mutex> lock(desk_);
        underway_.push_back(&sheet);
    }
    ok(cudaLaunchHostFunc(stream, &Tray::landed, &sheet));
    sheet.stamp(stream);
}

void CUDART_CB Tray::landed(void* arg) {
    Sheet& sheet = *static_cast<Sheet*>(arg);
    sheet.home_->putBack(sheet);
}

void Tray::putBack(Sheet& sheet) {
    std::lock_guard<std::mutex> lock(desk_);
    underway_.pop_front();
    record_.push_back(sheet.page_);
    sheet.out_ = false;
}

std::vector<int> Tray::record() const {
    std::lock_guard<std::mutex> lock(desk_);
    return record_;
}

}  // namespace press

#include "ledger.h"

namespace ledger {

Stream open_stream(Urgency urgency) {
    int least = 0, greatest = 0;
    ok(cudaDeviceGetStreamPriorityRange(&least, &greatest), "priority range");
    cudaStream_t raw = nullptr;
    ok(cudaStreamCreateWithPriority(&raw, cudaStreamDefault, urgency == Urgency::interactive ? greatest : least),
       "stream");
    return Stream(raw);
}

Column::Column(int rows) : rows_(rows) {
    ok(cudaMalloc(reinterpret_cast<void**>(&data_), rows * sizeof(Cents)), "column");
    clear();
}

Column::~Column() {
    cudaFree(data_);
}

void Column::clear(cudaStream_t on) {
    ok(cudaMemsetAsync(data_, 0, rows_ * sizeof(Cents), on), "clear");
}

std::vector<Cents> Column::download() const {
    std::vector<Cents> out(rows_);
    ok(cudaMemcpy(out.data(), data_, out.size() * sizeof(Cents), cudaMemcpyDeviceToHost), "download");
    return out;
}

}  // namespace ledger

#include "task_board.h"

namespace risk {

TaskBoard::TaskBoard(int lanes) {
    for (int i = 0; i < lanes; ++i) lanes_.push_back(makeStream());
}

TaskBoard::~TaskBoard() {
    for (auto& lane : lanes_) cudaStreamSynchronize(lane.get());
}

int TaskBoard::post(std::string name, Work work) {
    Note* note = nullptr;
    cudaStream_t lane{};
    {
        std::lock_guard<std::mutex> lk(guard_);
        const int id = nextId_++;
        table_[id].name = std::move(name);
        notes_.push_back(std::make_unique<Note>(Note{this, id}));
        note = notes_.back().get();
        lane = lanes_[id % lanes_.size()].get();
    }
    work(lane);
    CU_TRY(cudaLaunchHostFunc(lane, &TaskBoard::onFinished, note));
    return note->id;
}

void CUDART_CB TaskBoard::onFinished(void* arg) {
    auto* note = static_cast<Note*>(arg);
    note->board->markFinished(note->id);
}

void TaskBoard::markFinished(int id) {
    std::lock_guard<std::mutex> lk(guard_);
    Report& r = table_.at(id);
    r.state = State::Finished;
    r.order = finished_++;
}

std::vector<Report> TaskBoard::drain() {
    std::lock_guard<std::mutex> lk(guard_);
    std::vector<Report> out;
    for (size_t i = 0; i < lanes_.size(); ++i) {
        CU_TRY(cudaStreamSynchronize(lanes_[i].get()));
        for (auto& [id, report] : table_)
            if (id % lanes_.size() == i) out.push_back(report);
    }
    table_.clear();
    return out;
}

}  // namespace risk

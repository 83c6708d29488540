#pragma once
#include "cuda_util.h"
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace risk {

enum class State { Queued, Finished };

struct Report {
    std::string name;
    State state = State::Queued;
    int order = -1;
};

// Schedules GPU tasks over a few lanes and keeps a table of their progress.
class TaskBoard {
public:
    using Work = std::function<void(cudaStream_t)>;

    explicit TaskBoard(int lanes);
    ~TaskBoard();

    int post(std::string name, Work work);
    std::vector<Report> drain();

private:
    struct Note {
        TaskBoard* board;
        int id;
    };
    static void CUDART_CB onFinished(void* arg);
    void markFinished(int id);

    std::vector<StreamHandle> lanes_;
    std::vector<std::unique_ptr<Note>> notes_;
    std::map<int, Report> table_;
    std::mutex guard_;
    int nextId_ = 0;
    int finished_ = 0;
};

}  // namespace risk

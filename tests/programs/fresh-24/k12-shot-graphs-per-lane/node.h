#pragma once
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <utility>
#include <vector>
#include "shot_graph.h"
namespace mig {
// Instantiated graphs, the least recently used ones dropped.
class GraphCache {
public:
    explicit GraphCache(std::size_t capacity) : capacity_(capacity) {}

    std::shared_ptr<ShotGraph> get(int lane, const ShotShape& shape) {
        const Key key{lane, shape};
        const auto hit = index_.find(key);
        if (hit != index_.end()) {
            order_.splice(order_.begin(), order_, hit->second);
            return hit->second->second;
        }
        if (order_.size() == capacity_) {
            index_.erase(order_.back().first);
            order_.pop_back();
        }
        order_.emplace_front(key, std::make_shared<ShotGraph>(shape));
        index_[key] = order_.begin();
        return order_.front().second;
    }
private:
    using Key = std::pair<int, ShotShape>;
    using Entry = std::pair<Key, std::shared_ptr<ShotGraph>>;
    std::size_t capacity_;
    std::list<Entry> order_;
    std::map<Key, std::list<Entry>::iterator> index_;
};

// One lane of the node: a stream and the buffers of the shot it works on.
class Lane {
public:
    Lane(int number, GraphCache& cache, int maxCells);
    ~Lane();
    Lane(const Lane&) = delete;

    void submit(const Shot& shot);
    void wait();
    std::vector<unsigned> image() const;
    int number() const { return number_; }
private:
    int number_;
    GraphCache& cache_;
    int cells_ = 0;
    cudaStream_t stream_ = nullptr;
    unsigned* field_ = nullptr;
    unsigned* image_ = nullptr;
    std::shared_ptr<ShotGraph> running_;
};
}  // namespace mig

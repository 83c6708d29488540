// what it asks: Is a cache keyed by pairs, with parked blocks in a list, handed out by owners with deleters, followed?
#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>
void observe(long long value);
struct Block { int id; int count; int home; };
struct Parked { Block* block; std::vector<int> pending; };
class Cache {
public:
    static Cache& get() { static Cache* cache = new Cache; return *cache; }
    Block* take(int count, int home) {
        sweep();
        auto& shelf = idle_[{home, count}];
        if (!shelf.empty()) { Block* b = shelf.back(); shelf.pop_back(); return b; }
        return new Block{++made_, count, home};
    }
    void give(Block* b, const std::vector<int>& visitors) {
        Parked p{b, {}};
        for (int s : visitors) { if (s == b->home) continue; p.pending.push_back(s); }
        if (p.pending.empty()) idle_[{b->home, b->count}].push_back(b);
        else parked_.push_back(std::move(p));
    }
    void sweep() {
        for (auto it = parked_.begin(); it != parked_.end();) {
            if (it->pending.size() < 2) { idle_[{it->block->home, it->block->count}].push_back(it->block); it = parked_.erase(it); }
            else ++it;
        }
    }
    int made_ = 0;
    int parked() const { return (int)parked_.size(); }
private:
    using Key = std::pair<int, int>;
    std::map<Key, std::vector<Block*>> idle_;
    std::list<Parked> parked_;
};
class Tensor {
public:
    static Tensor empty(int n, int home) {
        Tensor t;
        t.block_.reset(Cache::get().take(n, home), [](Block*) {});
        t.count_ = n;
        return t;
    }
    Tensor(const Tensor&) = default;
    Tensor(Tensor&&) = default;
    ~Tensor() { if (block_ && block_.use_count() == 1) Cache::get().give(block_.get(), visitors_); }
    Tensor slice(int begin, int n) const { Tensor v(*this); v.offset_ = offset_ + begin; v.count_ = n; return v; }
    void used_on(int s) { if (std::find(visitors_.begin(), visitors_.end(), s) == visitors_.end()) visitors_.push_back(s); }
    int id() const { return block_->id; }
    int visitors() const { return (int)visitors_.size(); }
private:
    Tensor() = default;
    std::shared_ptr<Block> block_;
    std::vector<int> visitors_;
    int offset_ = 0, count_ = 0;
};
static void side(Tensor part, int stream) { part.used_on(stream); observe(part.id()); observe(part.visitors()); }
struct Launch { int bucket; int threads; };
struct Ranker {
    int tuned = 0;
    std::map<int, Launch> launches_;
    static int bucket_of(int batch) { int b = 1; while (b < batch) b *= 2; return b; }
    Launch choose(int bucket) {
        Launch trial{bucket, 0}; ++tuned;
        std::optional<int> best; int best_threads = 0;
        for (int threads : {64, 128, 256}) { trial.threads = threads; int ms = 300 - threads; if (!best || ms < *best) { best = ms; best_threads = threads; } }
        trial.threads = best_threads;
        return trial;
    }
    const Launch& launch_for(int batch) {
        const int bucket = bucket_of(batch);
        auto it = launches_.find(bucket);
        if (it == launches_.end()) it = launches_.emplace(bucket, choose(bucket)).first;
        return it->second;
    }
};
int main() {
    {
        Tensor a = Tensor::empty(8, 1);
        observe(a.id());
        side(a.slice(4, 4), 2);
        observe(a.visitors());
    }
    {
        Tensor b = Tensor::empty(8, 1);
        observe(b.id());
        b.used_on(2);
        b.used_on(3);
    }
    observe(Cache::get().parked());
    Tensor c = Tensor::empty(8, 1);
    observe(c.id());
    observe(Cache::get().made_);
    Ranker r;
    observe(r.launch_for(48).bucket);
    observe(r.launch_for(48).threads);
    observe(r.tuned);
    observe(r.launch_for(96).bucket);
    observe(r.tuned);
    observe((long long)r.launches_.size());
}

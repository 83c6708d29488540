// what it asks: Is a member of an aggregate made of what stands in braces by the constructor that a variable would be made by?
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

static std::vector<int> idle;
static int copies = 0;
class Lease {
public:
    explicit Lease(int block) : open_(true), block_(block) {}
    Lease(Lease&& other) noexcept : open_(std::exchange(other.open_, false)), block_(std::exchange(other.block_, 0)) {}
    ~Lease() {
        if (open_) idle.push_back(block_);
    }
    int block() const { return block_; }

private:
    bool open_;
    int block_;
};
struct Counted {
    Counted() = default;
    Counted(const Counted& other) : n(other.n + 1) { ++copies; }
    int n = 0;
};
struct Job {
    Lease lease;
    int* uploads;
};
struct Pair {
    Counted first;
    Counted second;
    int tail;
};

int main() {
    int uploads = 0;
    {
        Lease a(1);
        Job job{std::move(a), &uploads};
        observe(job.lease.block() * 10 + a.block());
        observe(static_cast<long long>(idle.size()));
    }
    observe(static_cast<long long>(idle.size()));
    {
        Lease a(2);
        auto job = Job{std::move(a), &uploads};
        observe(job.lease.block());
    }
    observe(static_cast<long long>(idle.size()));
    {
        Lease a(3);
        auto job = std::make_unique<Job>(Job{std::move(a), &uploads});
        observe(static_cast<long long>(idle.size()));
        Job* kept = job.release();
        observe(static_cast<long long>(idle.size()));
        delete kept;
    }
    observe(static_cast<long long>(idle.size()));
    Counted one;
    one.n = 4;
    Pair pair{one, Counted(), 7};
    observe(pair.first.n * 100 + pair.second.n * 10 + pair.tail);
    observe(copies);
    for (int block : idle) observe(block);
}

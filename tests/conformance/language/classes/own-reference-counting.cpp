// what it asks: Does a self-made shared pointer delete its object when the last copy goes away?
void observe(long long value);

static int deletedSum = 0;
class Shared {
    struct Block {
        int value;
        int refs;
    };
    Block* b_;
    void drop() {
        if (--b_->refs == 0) {
            deletedSum += b_->value;
            delete b_;
        }
    }
public:
    explicit Shared(int v) : b_(new Block{v, 1}) {}
    Shared(const Shared& o) : b_(o.b_) { ++b_->refs; }
    Shared& operator=(const Shared& o) {
        ++o.b_->refs;
        drop();
        b_ = o.b_;
        return *this;
    }
    ~Shared() { drop(); }
    int& operator*() { return b_->value; }
    int count() const { return b_->refs; }
};

int main() {
    Shared a(5);
    {
        Shared b = a;
        Shared c(70);
        observe(a.count());
        *b = 6;
        observe(*a);
        c = a;
        observe(a.count() * 100 + deletedSum);
    }
    observe(a.count() * 100 + *a);
}

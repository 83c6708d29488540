// what it asks: Does `throw` on one side of `? :` leave only where that side is taken?
void observe(long long value);

#define TEXT_OF(x) #x
#define REQUIRES(condition, kind) (!!(condition)) ? static_cast<void>(0) : throw kind { "line " TEXT_OF(__LINE__) ": no" }

struct Failure {
    const char* text;
};

static int checked(int n) {
    REQUIRES(n > 0, Failure);
    return n > 10 ? throw n : n * 2;
}

static int tried(int n) {
    try {
        return checked(n);
    } catch (const Failure&) {
        return -1;
    } catch (int large) {
        return large + 100;
    }
}

int main() {
    observe(tried(4));
    observe(tried(0));
    observe(tried(12));
    observe(checked(5));
}

// what it asks: Does capturing this see later changes of the object while *this keeps a copy?
void observe(long long value);

struct Timer {
    int ticks = 5;
    auto live() {
        return [this](int k) { return ticks * k; };
    }
    auto frozen() {
        return [*this](int k) { return ticks * k; };
    }
    auto bump() {
        return [this] { return ++ticks; };
    }
};

int main() {
    Timer t;
    auto live = t.live();
    auto frozen = t.frozen();
    t.ticks = 30;
    observe(live(2));
    observe(frozen(2));
    observe(t.bump()());
    observe(t.ticks);
}

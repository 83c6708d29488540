// what it asks: Does a weak_ptr lock while an owner lives and give null after?
#include <memory>

void observe(long long value);

int main() {
    std::weak_ptr<int> weak;
    observe(weak.expired() ? 3 : 4);
    {
        auto owner = std::make_shared<int>(12);
        weak = owner;
        observe(owner.use_count());
        if (auto held = weak.lock()) {
            *held += weak.use_count() * 10;
        }
        observe(*owner);
    }
    auto late = weak.lock();
    observe(late ? 50 : 60);
    observe(weak.use_count() + (weak.expired() ? 7 : 8));
}

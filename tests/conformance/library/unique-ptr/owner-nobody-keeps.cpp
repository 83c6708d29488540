// what it asks: Does an owning temporary end with its expression, unless somebody takes it over?
#include <memory>
#include <utility>
void observe(long long value);

static int ended = 0;
struct Stage {
    int id;
    explicit Stage(int i) : id(i) {}
    ~Stage() { ended = ended * 10 + id; }
};
static std::unique_ptr<Stage> make(int i) { return std::make_unique<Stage>(i); }
static std::unique_ptr<Stage>& same(std::unique_ptr<Stage>& p) { return p; }

int main() {
    make(1);
    observe(ended);
    auto kept = make(2);
    same(kept);
    static_cast<void>(std::move(kept));
    observe(ended);
    std::shared_ptr<Stage> shared = make(3);
    std::shared_ptr<Stage>{shared};
    observe(ended);
    std::make_shared<Stage>(4);
    observe(ended);
    kept = make(5);
    observe(ended);
}

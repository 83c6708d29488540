// what it asks: Does `typeid` tell types apart, through aliases, templates and a map of `type_index`?
#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>

void observe(long long value);

struct Small {
    int value = 3;
};
template <class T> struct Wide {
    T value = 7;
};
using Alias = Small;

class Context {
public:
    template <class R> R& get() {
        auto& slot = made_[std::type_index(typeid(R))];
        if (!slot) {
            slot = std::make_shared<R>();
            ++count;
        }
        return *static_cast<R*>(slot.get());
    }
    int count = 0;

private:
    std::unordered_map<std::type_index, std::shared_ptr<void>> made_;
};

int main() {
    observe(typeid(int) == typeid(int) ? 21 : 22);
    observe(typeid(Small) == typeid(Alias) ? 31 : 32);
    observe(typeid(Wide<int>) == typeid(Wide<long>) ? 41 : 42);
    observe(std::type_index(typeid(Small)) == std::type_index(typeid(unsigned)) ? 51 : 52);
    observe(typeid(unsigned) == typeid(unsigned int) ? 61 : 62);
    Context context;
    context.get<Small>().value += 10;
    context.get<Wide<int>>().value += 100;
    context.get<Wide<long>>();
    observe(context.get<Alias>().value);
    observe(context.get<Wide<int>>().value);
    observe(context.count);
}

// what it asks: Does an alias template stand for its target with the arguments it is given?
#include <memory>
#include <vector>

void observe(long long value);

static int ended;

struct Held {
    int value;
    Held(int it) : value(it) {}
    Held(Held &&other) : value(other.value) { other.value = 0; }
    ~Held() {
        if (value != 0) ++ended;
    }
};

template <class T> using List = std::vector<T>;
template <class T> using Owner = std::unique_ptr<T>;
template <class T> using Same = T;
template <class T> using Pointer = T *;
template <class T, class U> struct Two {
    T first;
    U second;
    int size() const { return static_cast<int>(sizeof(T) * 10 + sizeof(U)); }
};
template <class U> using CharAnd = Two<char, U>;
template <class T> using Twice = Two<T, T>;
template <class T> using TwiceAgain = Twice<T>;

template <class T> int width_in_list(List<T> &all) { return static_cast<int>(all.size() * sizeof(T)); }

int main() {
    {
        List<Held> all;
        all.reserve(2);
        all.emplace_back(3);
        observe(all[0].value);
    }
    observe(ended);
    {
        Owner<Held> owner(new Held(4));
        observe(owner->value);
    }
    observe(ended);
    CharAnd<short> pair{1, 2};
    observe(pair.size());
    TwiceAgain<int> twice{3, 4};
    observe(twice.size());
    Same<unsigned char> small = 300;
    observe(small);
    int number = 5;
    Pointer<int> at = &number;
    *at = 6;
    observe(number);
    List<short> shorts{1, 2, 3};
    observe(width_in_list(shorts));
}

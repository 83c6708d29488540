// what it asks: Is a specialised method or operator used for exactly its arguments, and do the functions behind it stay in their namespace?
void observe(long long value);

namespace outer {
namespace {

struct Get {
    template <class T> int get() { return 1; }
    template <class T> int operator()() const { return 2; }
    template <class T> int operator()(T value, int more) { return 3 + static_cast<int>(value) + more; }
};
template <> int Get::get<float>() { return 10; }
template <> int Get::get<char>() { return 20; }
template <>
int Get::operator()<float>() const {
    return 30;
}
template <>
int Get::operator()<double>(double value, int more) {
    return 40 + more;
}

template <class T> int of() { return 5; }
template <> int of<long>() { return 50; }

template <class T> int through(Get it) { return it.template operator()<T>() + it.template get<T>(); }

}  // namespace

int last() { return 7; }

}  // namespace outer

int last() { return 8; }

int main() {
    outer::Get it;
    observe(it.get<int>());
    observe(it.get<float>());
    observe(it.get<char>());
    observe(it.operator()<int>());
    observe(it.operator()<float>());
    observe(it(1, 2));
    observe(it(1.0, 2));
    observe(outer::of<int>() * 100 + outer::of<long>());
    observe(outer::through<float>(it));
    observe(outer::through<int>(it));
    observe(outer::last() * 10 + last());
}

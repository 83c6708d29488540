// Ends of ranges, and steps between them.

namespace std {

template <class C>
auto begin(C& container) {
    return container.begin();
}

template <class C>
auto end(C& container) {
    return container.end();
}

template <class C>
auto cbegin(C& container) {
    return container.begin();
}

template <class C>
auto cend(C& container) {
    return container.end();
}

template <class C>
auto size(C& container) {
    return container.size();
}

template <class C>
auto empty(C& container) {
    return container.empty();
}

template <class It>
It next(It it) {
    return it + 1;
}

template <class It, class Distance>
It next(It it, Distance by) {
    return it + by;
}

template <class It>
It prev(It it) {
    return it - 1;
}

template <class It, class Distance>
It prev(It it, Distance by) {
    return it - by;
}

template <class It, class Distance>
void advance(It& it, Distance by) {
    it = it + by;
}

template <class It>
long distance(It first, It last) {
    return last - first;
}

}  // namespace std

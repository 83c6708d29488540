// Ends of ranges, and steps between them.
#pragma once

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

// Goes from the end of a range to its beginning: it stands one behind the element it leads to.
template <class It>
struct reverse_iterator {
    It current;

    reverse_iterator() : current() {}
    explicit reverse_iterator(It at) : current(at) {}
    It base() const { return current; }
    auto& operator*() const { return *(current - 1); }
    auto operator->() const { return current - 1; }
    auto& operator[](long by) const { return *(current - 1 - by); }
    reverse_iterator& operator++() {
        current = current - 1;
        return *this;
    }
    reverse_iterator operator++(int) {
        reverse_iterator before = *this;
        current = current - 1;
        return before;
    }
    reverse_iterator& operator--() {
        current = current + 1;
        return *this;
    }
    reverse_iterator operator+(long by) const {
        reverse_iterator further = *this;
        further.current = current - by;
        return further;
    }
    reverse_iterator operator-(long by) const {
        reverse_iterator nearer = *this;
        nearer.current = current + by;
        return nearer;
    }
    long operator-(const reverse_iterator& other) const { return other.current - current; }
    bool operator==(const reverse_iterator& other) const { return current == other.current; }
    bool operator!=(const reverse_iterator& other) const { return current != other.current; }
    bool operator<(const reverse_iterator& other) const { return other.current < current; }
};

template <class It>
reverse_iterator<It> make_reverse_iterator(It at) {
    return reverse_iterator<It>(at);
}

template <class C>
auto rbegin(C& container) {
    return container.rbegin();
}

template <class C>
auto rend(C& container) {
    return container.rend();
}

// Writes through it are added at an end of a container.
template <class C>
struct back_insert_iterator {
    C* container;

    explicit back_insert_iterator(C& to) : container(&to) {}
    back_insert_iterator& operator*() { return *this; }
    back_insert_iterator& operator++() { return *this; }
    template <class T>
    back_insert_iterator& operator=(const T& value) {
        container->push_back(value);
        return *this;
    }
};

template <class C>
struct front_insert_iterator {
    C* container;

    explicit front_insert_iterator(C& to) : container(&to) {}
    front_insert_iterator& operator*() { return *this; }
    front_insert_iterator& operator++() { return *this; }
    template <class T>
    front_insert_iterator& operator=(const T& value) {
        container->push_front(value);
        return *this;
    }
};

// The same before an element of it.
template <class C, class It>
struct insert_iterator {
    C* container;
    It at;

    insert_iterator(C& to, It before) : container(&to), at(before) {}
    insert_iterator& operator*() { return *this; }
    insert_iterator& operator++() { return *this; }
    template <class T>
    insert_iterator& operator=(const T& value) {
        at = container->insert(at, value);
        at = at + 1;
        return *this;
    }
};

template <class C, class It>
insert_iterator<C, It> inserter(C& container, It before) {
    return insert_iterator<C, It>(container, before);
}

template <class C>
back_insert_iterator<C> back_inserter(C& container) {
    return back_insert_iterator<C>(container);
}

template <class C>
front_insert_iterator<C> front_inserter(C& container) {
    return front_insert_iterator<C>(container);
}

}  // namespace std

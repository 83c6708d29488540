// ilist.h - intrusive lists; the links live in the element
#pragma once

namespace ticks {

struct Link {
    Link *prev = this;
    Link *next = this;

    void unlink()
    {
        prev->next = next;
        next->prev = prev;
        prev = next = this;
    }
};

// T derives from Link
template <class T>
class List {
public:
    bool empty() const { return head_.next == &head_; }
    T *front() { return empty() ? nullptr : static_cast<T *>(head_.next); }

    void push_front(T *t) { insert(head_.next, t); }
    void push_back(T *t) { insert(&head_, t); }

    T *pop_front()
    {
        T *t = front();
        if (t)
            t->unlink();
        return t;
    }

private:
    static void insert(Link *at, Link *l)
    {
        l->next = at;
        l->prev = at->prev;
        at->prev->next = l;
        at->prev = l;
    }

    Link head_;
};

} // namespace ticks

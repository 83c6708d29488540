// What a model can ask of the machine that runs it, as declarations for a compiler and for readers.
#pragma once

namespace cudalint {

struct anything {
    template <class T>
    operator T() const;
};

// A value nobody knows: a number, a place, an object of any type.
anything unknown();

// Whether one end of a range is known to be a few elements behind the other.
template <class First, class Last>
bool few(First first, Last last);

// Whether a number of elements is known to be small.
template <class Count>
bool short_of(Count count);

// The same, and every element is known or made of what is known, or there is only one.
template <class First, class Last>
bool settled(First first, Last last);

// Whether a value is known.
template <class T>
bool known(const T& value);

// Calls what can be called, a method on the first argument among it; the second one with the parts of a tuple.
template <class F, class... Args>
anything call(F&& f, Args&&... args);
template <class F, class Parts>
anything call_with_parts(F&& f, Parts&& parts);

// Some element of what an iterator leads into, nobody knows which.
template <class It>
It somewhere(It first);

// Whether something is an iterator into a container.
template <class X, class Container>
bool leads_into(const X& at, const Container& container);

// Where an object is, whatever its class says of `&`.
template <class T>
T* address_of(T& object);

// The host reads, or writes, what is between two places. What is written is not known any more.
template <class First, class Last>
void reads(First first, Last last);
template <class First, class Last>
void writes(First first, Last last);

// The host writes what is between two places: each element is one of those that were there.
template <class First, class Last>
void permutes(First first, Last last);

// What a container or object holds, and how much of it, is not known any more.
template <class T>
void forget(T& object);

}  // namespace cudalint

// what it asks: Is the most specialised partial specialisation chosen for pointers, arrays and pairs of equal types?
void observe(long long value);

template <class A, class B> struct Kind { static constexpr int v = 1; };
template <class A> struct Kind<A, A> { static constexpr int v = 2; };
template <class A, class B> struct Kind<A*, B> { static constexpr int v = 3; };
template <class A, int N> struct Kind<A[N], int> { static constexpr int v = 100 + N; };
template <class A, class B> struct Kind<A*, B*> { static constexpr int v = 5; };

int main() {
    observe(Kind<int, char>::v);
    observe(Kind<long, long>::v);
    observe(Kind<int*, char>::v);
    observe(Kind<float[6], int>::v);
    observe(Kind<int*, char*>::v);
    observe(Kind<const int, int>::v + 10);
}

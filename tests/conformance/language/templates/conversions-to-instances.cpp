// what it asks: Does an object become the instance that is wanted where it has an operator for several of one template?
void observe(long long value);

template <class T> struct Near {};
template <class T> struct Far {};
template <class T, template <class> class Kind> struct View {
    T *data;
    int size;
    View(T *at, int many) : data(at), size(many) {}
};
template <class T> using NearView = View<T, Near>;
template <class T> using FarView = View<T, Far>;

template <class T> class Both {
  public:
    Both(T *near, T *far, int many) : near_(near), far_(far), many_(many) {}
    operator FarView<T>() { return {far_, many_ * 10}; }
    operator NearView<T>() { return {near_, many_}; }
    NearView<T> near_view() { return static_cast<NearView<T>>(*this); }
    FarView<T> far_view() { return *this; }

  private:
    T *near_, *far_;
    int many_;
};

int main() {
    int a[2] = {1, 2}, b[2] = {3, 4};
    Both<int> both(a, b, 2);
    observe(both.near_view().data[1]);
    observe(both.far_view().data[1]);
    NearView<int> near = both;
    FarView<int> far = both;
    observe(near.size * 100 + far.size);
}

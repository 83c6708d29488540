// what it asks: Does a pointer to data member select the member it was last set to, on any object?
void observe(long long value);

struct Vec3 {
    int x, y, z;
};
static int total(const Vec3* v, int n, int Vec3::*field) {
    int s = 0;
    for (int i = 0; i < n; ++i) {
        s += v[i].*field;
    }
    return s;
}

int main() {
    Vec3 v[2] = {{1, 20, 300}, {4, 50, 600}};
    int Vec3::*f = &Vec3::y;
    observe(total(v, 2, f));
    f = &Vec3::z;
    observe(total(v, 2, f));
    Vec3* p = &v[1];
    p->*f = 7;
    observe(v[1].z);
    observe(total(v, 2, &Vec3::x));
}

// what it asks: Is a struct argument with an array copied, so that the callee's changes stay local?
void observe(long long value);

struct Params {
    int scale;
    int values[3];
};
static int changed(Params p) {
    p.scale = 50;
    p.values[1] = 60;
    return p.scale + p.values[1] + p.values[2];
}
static Params grown(const Params& p) {
    Params r = p;
    r.values[0] += 1000;
    return r;
}

int main() {
    Params p{2, {3, 4, 5}};
    observe(changed(p));
    observe(p.scale + p.values[1]);
    Params q = grown(p);
    observe(q.values[0]);
    observe(p.values[0]);
}

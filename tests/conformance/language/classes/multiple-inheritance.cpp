// what it asks: Do two base subobjects keep separate state and pointers adjust to the right one?
void observe(long long value);

struct Reader {
    int n = 5;
    virtual ~Reader() = default;
    virtual int read() { return n; }
};
struct Writer {
    int n = 70;
    virtual ~Writer() = default;
    virtual int write(int v) { return n += v; }
};
struct File : Reader, Writer {
    int read() override { return Reader::n + Writer::n; }
};

int main() {
    File f;
    Reader* r = &f;
    Writer* w = &f;
    w->n = 80;
    observe(r->n);
    observe(r->read());
    observe(w->write(6));
    observe(r->read());
    observe(static_cast<File*>(w)->Reader::n + 1);
}

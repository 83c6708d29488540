// what it asks: Is a virtual base made first and ended last, once, whichever class is the whole object's?
void observe(long long value);

static long long log = 0;
static void note(int what) { log = log * 10 + what; }
struct Device {
    int id;
    explicit Device(int i = 9) : id(i) { note(1); }
    ~Device() { note(2); }
};
struct Reader : virtual Device {
    Reader() : Device(3) { note(4); }
    ~Reader() { note(5); }
};
struct Writer : public virtual Device {
    Writer() : Device(6) { note(6); }
    ~Writer() { note(7); }
};
struct Port : Reader, Writer {
    Port() { note(8); }
};

int main() {
    {
        Port p;
        observe(p.id);
        observe(log);
    }
    observe(log);
    log = 0;
    {
        Writer w;
        observe(w.id);
    }
    observe(log);
}

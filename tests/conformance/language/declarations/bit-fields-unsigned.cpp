// what it asks: Do unsigned bit fields wrap at their own width without touching their neighbours?
void observe(long long value);

struct Header {
    unsigned int kind : 3;
    unsigned int length : 5;
    unsigned int flag : 1;
    unsigned int rest : 23;
};

int main() {
    Header h{};
    h.kind = 6;
    h.length = 30;
    h.rest = 1000;
    for (int i = 0; i < 3; ++i) {
        h.kind++;
        h.length++;
    }
    observe(h.kind);
    observe(h.length);
    observe(h.rest + h.flag);
    h.flag = ~h.flag & 1u;
    observe(h.flag * 10 + h.kind);
    int wide = h.length - 5;
    observe(wide);
}

// what it asks: Does deleting through a base pointer with a virtual destructor run the derived destructor?
void observe(long long value);

static int trail = 0;
struct Resource {
    virtual ~Resource() { trail += 1; }
};
struct Memory : Resource {
    int bytes;
    explicit Memory(int b) : bytes(b) {}
    ~Memory() override { trail += bytes; }
};
struct Pinned final : Memory {
    using Memory::Memory;
    ~Pinned() override { trail *= 2; }
};

int main() {
    Resource* r = new Memory(50);
    delete r;
    observe(trail);
    r = new Pinned(300);
    delete r;
    observe(trail);
    r = new Resource;
    delete r;
    observe(trail);
    delete static_cast<Resource*>(nullptr);
    observe(trail + 5);
}

// what it asks: Do equal names in nested namespaces stay apart and find the nearest one unqualified?
void observe(long long value);

static int unit = 1;
namespace gpu {
int unit = 20;
namespace memory {
int unit = 300;
int ask() { return unit; }
}
namespace queue {
int ask() { return unit + 2; }
int global() { return ::unit + memory::unit; }
}
}
namespace gpu::queue::deep {
int both() { return unit + ask(); }
}

int main() {
    observe(gpu::memory::ask());
    observe(gpu::queue::ask());
    observe(gpu::queue::global());
    gpu::unit = 50;
    observe(gpu::queue::deep::both());
    observe(unit + 6);
}

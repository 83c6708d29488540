// what it asks: Does a guard restore the previous value at each nested scope's end?
void observe(long long value);

static int device = 1;
class DeviceGuard {
    int previous_;
public:
    explicit DeviceGuard(int d) : previous_(device) { device = d; }
    DeviceGuard(const DeviceGuard&) = delete;
    ~DeviceGuard() { device = previous_; }
};
static int inner(int d) {
    DeviceGuard g(d);
    if (d > 5) {
        return device * 10;
    }
    device += 100;
    return device;
}

int main() {
    observe(inner(7) + device);
    {
        DeviceGuard g(3);
        observe(inner(4));
        observe(device);
        device = 50;
    }
    observe(device);
}

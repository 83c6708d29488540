// what it asks: Is an inline variable one object that an inline function updates?
void observe(long long value);

inline int launches = 3;
inline int record(int n) {
    launches += n;
    return launches;
}
struct Config {
    inline static int limit = 50;
    static constexpr int step = 7;
};

int main() {
    observe(record(4));
    observe(record(10));
    Config::limit -= Config::step;
    observe(Config::limit);
    observe(launches * 2);
}

// what it asks: Do overloaded operators on an enum class combine and test its flags?
void observe(long long value);

enum class Flags : unsigned int { None = 0, Read = 1, Write = 2, Host = 8, All = 11 };
constexpr Flags operator|(Flags a, Flags b) {
    return static_cast<Flags>(static_cast<unsigned int>(a) | static_cast<unsigned int>(b));
}
constexpr Flags operator&(Flags a, Flags b) {
    return static_cast<Flags>(static_cast<unsigned int>(a) & static_cast<unsigned int>(b));
}
static Flags& operator|=(Flags& a, Flags b) { return a = a | b; }
static bool has(Flags set, Flags f) { return (set & f) != Flags::None; }

int main() {
    Flags f = Flags::Read;
    f |= Flags::Host;
    observe(static_cast<int>(f));
    observe(has(f, Flags::Write) ? 30 : 40);
    observe(has(f, Flags::Host) ? 50 : 60);
    f |= Flags::Write;
    observe(f == Flags::All ? 70 : 80);
    observe(static_cast<int>(f & (Flags::Write | Flags::Host)));
}

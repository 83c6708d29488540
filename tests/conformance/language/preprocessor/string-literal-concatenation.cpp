// what it asks: Are adjacent string literals joined, with those that macros make?
void observe(long long value);

#define PREFIX "sm_"
#define STR_(x) #x
#define STR(x) STR_(x)
#define ARCH 86
#define NAME PREFIX STR(ARCH) "a"

int main() {
    const char text[] = "ab" "cd"
                        "efg";
    const char name[] = NAME;
    observe(sizeof(text));
    observe(sizeof(name));
    observe((name[3] - '0') * 10 + (name[4] - '0'));
    observe(text[5] - 'a' + 40);
    observe(sizeof("" "\x41" "1"));
}

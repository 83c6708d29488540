// what it asks: Does # make a string of the argument's spelling, and expand it first only through a second macro?
void observe(long long value);

#define TEXT(x) #x
#define EXPANDED(x) TEXT(x)
#define BLOCK 256
static int length(const char* s) {
    int n = 0;
    while (s[n] != '\0') {
        ++n;
    }
    return n;
}

int main() {
    observe(length(TEXT(BLOCK)));
    observe(length(EXPANDED(BLOCK)));
    observe(EXPANDED(BLOCK)[1] - '0');
    observe(length(TEXT(a   +  b)));
    observe(length(TEXT("q")) * 10 + TEXT(xyz)[2] - 'x');
}

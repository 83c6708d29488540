// what it asks: Does a char pointer scan stop at the terminator and count as expected?
void observe(long long value);

static int length(const char* s) {
    const char* p = s;
    while (*p) {
        ++p;
    }
    return static_cast<int>(p - s);
}

int main() {
    const char* text = "kernel";
    observe(length(text));
    observe(length(text + 4));
    char copy[16];
    char* out = copy;
    const char* in = text;
    while ((*out++ = *in++) != '\0') {
    }
    observe(out - copy);
    copy[3] = '\0';
    observe(length(copy));
}

// what it asks: Does a plain throw in a handler pass the same object, as changed, to the outer handler?
void observe(long long value);

struct Error {
    int code;
};
static void fail() { throw Error{5}; }
static int middle(bool byRef) {
    try {
        if (byRef) {
            try {
                fail();
            } catch (Error& e) {
                e.code += 100;
                throw;
            }
        } else {
            try {
                fail();
            } catch (Error e) {
                e.code += 100;
                throw;
            }
        }
    } catch (const Error& e) {
        return e.code;
    }
    return -1;
}

int main() {
    observe(middle(true));
    observe(middle(false));
}

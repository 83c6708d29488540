// what it asks: Does a class derived from std::exception carry its message and its own field to the handler?
#include <exception>
#include <string>

void observe(long long value);

class DeviceError : public std::exception {
    std::string text_;
    int code_;
public:
    DeviceError(const std::string& where, int code) : text_(where + " failed"), code_(code) {}
    const char* what() const noexcept override { return text_.c_str(); }
    int code() const { return code_; }
};
static void check(int status, const char* where) {
    if (status != 0) throw DeviceError(where, status);
}

int main() {
    std::string text = "none";
    int code = -1;
    try {
        check(0, "malloc");
        check(2, "launch");
        check(3, "copy");
    } catch (const DeviceError& e) {
        text = e.what();
        code = e.code();
    }
    observe(code);
    observe(static_cast<int>(text.size()));
    observe(text == "launch failed" ? 31 : 13);
}

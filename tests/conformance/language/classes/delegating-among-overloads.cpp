// std: c++17
// what it asks: Does a constructor that delegates, and an overload that calls one of the same name, reach the other one?
#include <string>

void observe(long long value);

enum class Code { Fine, Bad };

class Failure {
  public:
    Failure(Code code, const std::string& text) : code_(code), length_(static_cast<int>(text.size())) {}
    Failure(Code code, int line, const std::string& text) : Failure(code, line, text.c_str()) {}
    Failure(Code code, int line, const char* text) : Failure(code, std::string(text) + (line > 9 ? "!!" : "!")) {}
    int length() const { return length_; }
    Code code() const { return code_; }

  private:
    Code code_;
    int length_;
};

class View {
  public:
    explicit View(int* at) : at_(at) {}
    void* data() const;
    template <class T>
    T* data() const {
        return static_cast<T*>(data());
    }

  private:
    int* at_;
};

void* View::data() const { return at_; }

int main() {
    Failure failure(Code::Bad, 12, std::string("abc"));
    observe(failure.length());
    observe(failure.code() == Code::Bad);
    int cell = 17;
    View view(&cell);
    observe(*view.data<int>());
    observe(view.data() == &cell);
}

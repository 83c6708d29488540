// what it asks: Does a stack evaluate a postfix expression?
#include <stack>
#include <string>

void observe(long long value);

int main() {
    std::stack<int> s;
    std::size_t deepest = 0;
    for (char c : std::string("82-7*34+9*-")) {
        if (c >= '0' && c <= '9') {
            s.push(c - '0');
        } else {
            int b = s.top();
            s.pop();
            int a = s.top();
            s.pop();
            s.push(c == '+' ? a + b : c == '-' ? a - b : a * b);
        }
        if (s.size() > deepest) deepest = s.size();
    }
    observe(s.top());
    observe(static_cast<long long>(deepest));
    s.top() += 100;
    observe(s.top());
}

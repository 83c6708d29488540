// what it asks: Is the first handler taken whose type matches the thrown object, bases included?
#include <stdexcept>

void observe(long long value);

static int classify(int k) {
    try {
        if (k == 0) throw std::out_of_range("a");
        if (k == 1) throw std::runtime_error("b");
        if (k == 2) throw 3.5;
        if (k == 3) throw "text";
        return 1;
    } catch (const std::logic_error&) {
        return 20;
    } catch (const std::exception&) {
        return 30;
    } catch (double d) {
        return static_cast<int>(d * 100);
    } catch (...) {
        return 50;
    }
}

int main() {
    observe(classify(0));
    observe(classify(1));
    observe(classify(2));
    observe(classify(3));
    observe(classify(4));
}

// what it asks: Do sections that show nothing change what those see that they fall into?
#include <string>

void observe(long long value);

int two() {
    std::string word = "kernel";
    return static_cast<int>(word.size() % 4);
}

int main() {
    int level = 1;
    switch (two()) {
    case 2:
        level = 4;
    case 3:
        observe(level);
        break;
    case 4:
        level = 6;
        break;
    }
    observe(level);

    int mode = 0;
    switch (two()) {
    case 1:
        observe(mode);
        break;
    case 2:
        mode = 5;
        break;
    default:
        mode = 6;
    }
    observe(mode);
    return 0;
}

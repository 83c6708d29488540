// what it asks: Are arrays of numbers and pointers zero where their member initialiser is empty, in the class or in the constructor?
void observe(long long value);

struct InClass {
    int numbers[3]{};
    int* pointers[2] = {};
    int part[4]{7};
};

struct InConstructor {
    int numbers[3];
    int* pointers[2];
    long rest[2];
    InConstructor() : numbers{}, pointers(), rest{5} { numbers[1] += 4; }
};

struct Replaced {
    int numbers[2]{8, 9};
    Replaced() = default;
    explicit Replaced(int) : numbers{} {}
};

int main() {
    InClass in_class;
    observe(in_class.numbers[2]);
    observe(in_class.pointers[1] == nullptr);
    observe(in_class.part[0]);
    observe(in_class.part[3]);
    InConstructor in_constructor;
    observe(in_constructor.numbers[0]);
    observe(in_constructor.numbers[1]);
    observe(in_constructor.pointers[0] == nullptr);
    observe(in_constructor.rest[0]);
    observe(Replaced().numbers[1]);
    observe(Replaced(1).numbers[1]);
}

// what it asks: Does a step on a char pointer move by bytes so that a cast back lands on the right element?
#include <cstddef>

void observe(long long value);

int main() {
    int data[6] = {10, 11, 12, 13, 14, 15};
    char* raw = reinterpret_cast<char*>(data);
    int* fourth = reinterpret_cast<int*>(raw + 4 * sizeof(int));
    observe(*fourth);
    *reinterpret_cast<int*>(raw + sizeof(int)) = 77;
    observe(data[1]);
    observe(reinterpret_cast<char*>(fourth) - raw);
    observe(fourth - data);
}

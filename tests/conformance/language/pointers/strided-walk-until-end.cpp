// what it asks: Does a strided pointer walk with an end pointer visit exactly the wanted elements?
void observe(long long value);

int main() {
    int data[12];
    for (int i = 0; i < 12; ++i) {
        data[i] = i + 1;
    }
    int sum = 0;
    int visits = 0;
    for (const int* p = data; p != data + 12; p += 3) {
        sum += *p;
        ++visits;
    }
    observe(sum);
    observe(visits);
    const int* back = data + 12;
    int reversed = 0;
    while (back-- != data + 9) {
        reversed = reversed * 100 + *back;
    }
    observe(reversed);
}

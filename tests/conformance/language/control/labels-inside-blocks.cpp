// what it asks: Is a section of a switch known that control enters at its head, and nothing held as known where it gets into the middle of one?
void observe(long long value);

static int weight(int kind) {
    int sum = 0;
    switch (kind) {
    case 0:
        sum += 1;
        if (kind == 0) {
            sum += 10;
    case 1:
            sum += 100;
        }
        break;
    case 2:
        sum += 1000;
        break;
    default:
        sum += 5;
    }
    return sum;
}

int main() {
    observe(weight(0));
    observe(weight(2));
    observe(weight(1));
    observe(weight(7));
}

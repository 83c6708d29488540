// what it asks: Does the goto-cleanup idiom run the clean-up from the label on for each exit?
void observe(long long value);

static int work(int failAt, int* released) {
    int status = 0;
    if (failAt == 1) {
        status = 11;
        goto none;
    }
    if (failAt == 2) {
        status = 22;
        goto first;
    }
    status = 33;
    *released += 100;
first:
    *released += 10;
none:
    *released += 1;
    return status;
}

int main() {
    int released = 0;
    int status = work(1, &released);
    observe(status * 1000 + released);
    status = work(2, &released);
    observe(status * 1000 + released);
    status = work(0, &released);
    observe(status * 1000 + released);
}

// what it asks: which sections of a switch run when one of them has no break.
void observe(long long value);

int main() {
    int score = 0;
    for (int i = 0; i < 4; ++i) {
        switch (i) {
        case 0:
            score += 1;
            break;
        case 1:
            score += 10;
            [[fallthrough]];
        case 2:
            score += 100;
            break;
        default:
            score += 1000;
        }
    }
    observe(score);
    return 0;
}

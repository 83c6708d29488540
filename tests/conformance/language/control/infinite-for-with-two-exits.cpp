// what it asks: Which of two exits of an endless loop is taken, and after how many rounds?
void observe(long long value);

static int simulate(int money, int gain, int loss) {
    for (int round = 1;; ++round) {
        money += round % 3 == 0 ? -loss : gain;
        if (money <= 0) {
            return -round;
        }
        if (money >= 100) {
            break;
        }
        if (round == 200) {
            return 7777;
        }
    }
    return money;
}

int main() {
    observe(simulate(50, 5, 4));
    observe(simulate(20, 1, 30));
    observe(simulate(50, 1, 2));
}

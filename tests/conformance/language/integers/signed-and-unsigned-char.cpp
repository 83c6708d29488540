// what it asks: Do signed char and unsigned char keep different values when widened?
void observe(long long value);

int main() {
    signed char s = -2;
    unsigned char u = static_cast<unsigned char>(s);
    int fromS = s;
    int fromU = u;
    observe(fromS);
    observe(fromU);
    observe(fromU - fromS);
    short back = static_cast<short>(u);
    observe(back / 2);
}

// what it asks: Do strcmp, strncmp, strchr, strstr and strlen answer for argument parsing?
#include <cstring>

void observe(long long value);

int main() {
    const char* arg = "--blocks=256";
    const char* eq = std::strchr(arg, '=');
    observe(eq - arg);
    observe(static_cast<long long>(std::strlen(eq + 1)));
    int mask = 0;
    if (std::strcmp(arg, "--blocks") == 0) mask |= 1;
    if (std::strncmp(arg, "--blocks", 8) == 0) mask |= 2;
    if (std::strcmp("b", "abc") > 0) mask |= 4;
    if (std::strcmp("10", "9") > 0) mask |= 8;
    if (std::strstr(arg, "lock") == arg + 3) mask |= 16;
    if (std::strstr(arg, "grid")) mask |= 32;
    observe(mask);
    observe(std::strrchr(arg, 'l') ? 40 + *(std::strrchr(arg, '-') + 1) - 'a' : 0);
}

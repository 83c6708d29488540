// what it asks: May a friend function and a friend class read and change private members?
void observe(long long value);

class Account {
    int balance_ = 100;
    friend int audit(const Account& a);
    friend class Bank;
};
int audit(const Account& a) { return a.balance_ * 2; }
class Bank {
public:
    static void move(Account& from, Account& to, int n) {
        from.balance_ -= n;
        to.balance_ += n;
    }
};

int main() {
    Account a, b;
    Bank::move(a, b, 30);
    observe(audit(a));
    observe(audit(b));
    Bank::move(b, a, 5);
    observe(audit(a) - audit(b));
}

// what it asks: A shared pointer in a plain struct in a map is let go when its entry is erased by iterator.
#include <map>
#include <memory>
#include <string>

void observe(long long value);

static int freed = 0;

struct Book {
    std::shared_ptr<int> data;
    int count = 0;
    int expiry = 0;
};

std::shared_ptr<int> make(int n) {
    return {new int(n), [](int* p) { freed += *p; delete p; }};
}

int main() {
    std::map<std::string, Book> books;
    books.insert_or_assign("brent", Book{make(10), 3, 3});
    books.insert_or_assign("copper", Book{make(20), 4, 1});
    books.insert_or_assign("gasoil", Book{make(40), 5, 5});
    observe(books.size());
    int removed = 0;
    for (auto it = books.begin(); it != books.end();) {
        if (it->second.expiry <= 3) {
            it = books.erase(it);
            ++removed;
        } else {
            ++it;
        }
    }
    observe(removed);
    observe(freed);
    observe(books.size());
    books.insert_or_assign("gasoil", Book{make(80), 6, 9});
    observe(freed);
    observe(books.at("gasoil").count);
}

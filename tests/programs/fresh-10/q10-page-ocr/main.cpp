#include <future>
#include "reader.h"

static int proofread(ocr::Outbox& outbox, int pages) {
    int wrong = 0;
    for (int n = 0; n < pages; ++n) {
        const std::shared_ptr<ocr::Page> page = outbox.take();
        for (int i = 0; i < ocr::kCells; ++i) {
            const int ink = (i * 11 + page->number * 17) % 256;
            if (page->text[i] != static_cast<char>('a' + ink % 26)) ++wrong;
        }
    }
    return wrong;
}

int main() {
    constexpr int kPages = 12;
    int wrong = 0;
    {
        ocr::Outbox outbox;
        ocr::Reader reader(outbox);
        auto proof = std::async(std::launch::async, proofread, std::ref(outbox), kPages);
        for (int n = 0; n < kPages; ++n) reader.read(n);
        wrong = proof.get();
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}

#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace clip {

// Accounts of all clips of a job: frames sent to the device and frames finished.
class Ledger {
public:
    struct Account {
        int sent = 0;
        int finished = 0;
        bool closed = false;
    };
    using Accounts = std::map<std::uint32_t, Account>;

    // Runs `change` on the accounts as one step.
    template <class Change>
    void update(Change&& change)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        std::forward<Change>(change)(accounts_);
    }

    void frameFinished(std::uint32_t clip)
    {
        update([clip](Accounts& a) { ++a[clip].finished; });
    }

    Account account(std::uint32_t clip) const
    {
        std::lock_guard<std::mutex> lock(mutex_);
        const auto it = accounts_.find(clip);
        return it == accounts_.end() ? Account{} : it->second;
    }

private:
    mutable std::mutex mutex_;
    Accounts accounts_;
};

}  // namespace clip

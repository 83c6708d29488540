//! What functions of the C and C++ libraries do by their last names, where neither source nor model says it: `rules/library.toml`.

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Whether an object is asked for something, and stays as it is.
pub fn asks(name: &str) -> bool {
    ASKS.contains(&name)
}

/// Whether a class of the standard library answers it with a `std::size_t`.
pub fn counts(name: &str) -> bool {
    COUNTS.contains(&name)
}

/// Whether a container of the standard library has such a method.
pub fn works_on_containers(name: &str) -> bool {
    CONTAINERS.contains(&name)
}

/// Whether it ends what a container or an owner holds, or part of it.
pub fn ends_held(name: &str) -> bool {
    ENDS_HELD.contains(&name)
}

/// Whether a text is asked for something, and stays as it is whatever is done with the answer.
pub fn asks_text(name: &str) -> bool {
    ASKS_TEXT.contains(&name)
}

/// What hands out the one thing that an object holds.
pub fn getters() -> &'static [&'static str] {
    HANDS_OUT
}

/// Whether it works on the host alone.
pub fn never_waits(name: &str) -> bool {
    asks(name) || HANDS_OUT.contains(&name) || COMPUTES.contains(&name) || depends_on_values(name)
}

/// Whether it gives the same for the same numbers and texts.
pub fn depends_on_values(name: &str) -> bool {
    of_bits(name, 1).is_some() || DEPENDS_ON_VALUES.contains(&name)
}

/// Whether it hands on the very thing it is handed: `std::move`.
pub fn hands_on(name: &str) -> bool {
    HANDS_ON.contains(&name)
}

/// What a function that counts bits gives for a number: the zeros below the lowest bit that is set, its place from one on, or
/// how many are set.
pub fn of_bits(name: &str, number: i64) -> Option<i64> {
    let lowest = i64::from(number.trailing_zeros());
    if LOWEST_BIT.contains(&name) {
        return Some(lowest);
    }
    if FIRST_BIT.contains(&name) {
        return Some(if number == 0 { 0 } else { lowest + 1 });
    }
    // How many a negative one has depends on its type.
    (BITS_SET.contains(&name) && number >= 0).then(|| i64::from(number.count_ones()))
}

/// Whether it is a type whose end ends something else.
pub fn is_owner(name: &str) -> bool {
    OWNERS.contains(&name)
}

/// Whether it is a type whose values lead to an object that they own, or share.
pub fn is_smart_pointer(name: &str) -> bool {
    SMART_POINTERS.contains(&name)
}

/// Whether it is one whose values own something that no other does.
pub fn is_sole_owner(name: &str) -> bool {
    SOLE_OWNERS.contains(&name)
}

/// Whether it is called as an assertion of a test framework is.
pub fn asserts(name: &str) -> bool {
    ASSERTS.contains(&name)
}

/// Whether it is the namespace of a test framework.
pub fn is_test_framework(name: &str) -> bool {
    TEST_FRAMEWORKS.contains(&name)
}

/// Whether, as a method of a container, it adds one element, whatever that holds.
pub fn adds_one(name: &str) -> bool {
    ADDS_ONE.contains(&name)
}

/// Whether, as a method of a container, it leaves that as long as it is, and only says or hands out something of it.
pub fn only_asks(name: &str) -> bool {
    ONLY_ASKS.contains(&name)
}

/// Whether, as a method of a container, it keeps what it is handed, and changes nothing that this leads to.
pub fn keeps(name: &str) -> bool {
    KEEPS.contains(&name)
}

/// Whether it makes an object, of the type that its first template argument says, and what owns that.
pub fn makes_owned(name: &str) -> bool {
    MAKES_OWNED.contains(&name)
}

/// Whether, as a method of a container or an optional of one type, it hands out one of the things that this holds.
pub fn hands_out_element(name: &str) -> bool {
    HANDS_OUT_ELEMENT.contains(&name)
}

/// Whether, as a method of a container, it leaves the handles in it what they are.
pub fn leaves_handles(name: &str) -> bool {
    LEAVES_HANDLES.contains(&name)
}

/// Whether, as a method of a stream or an event, it waits for that.
pub fn waits_for_work(name: &str) -> bool {
    WAITS_FOR_WORK.contains(&name)
}

/// Whether it waits for other threads of the host until some time at the latest.
pub fn waits_some_time(name: &str) -> bool {
    WAITS_SOME_TIME.contains(&name)
}

/// Whether it stores nothing through the pointers it takes, or is modelled elsewhere.
pub fn only_reads(name: &str) -> bool {
    ONLY_READS.contains(&name) || annotates(name) || prints(name)
}

/// Whether it does nothing but tell a profiler something.
pub fn annotates(name: &str) -> bool {
    ANNOTATES.contains(&name)
}

/// Whether a class, by its whole name, is an allocator of containers that gives new memory of the host.
pub fn allocates_for_containers(name: &str) -> bool {
    ALLOCATES_FOR_CONTAINERS.contains(&name)
}

/// Whether it ends the process with the code it is given.
pub fn exits(name: &str) -> bool {
    EXITS.contains(&name)
}

/// Whether it ends the process as a failure.
pub fn fails(name: &str) -> bool {
    FAILS.contains(&name)
}

/// Whether it throws.
pub fn throws(name: &str) -> bool {
    THROWS.contains(&name)
}

/// Whether the program ends there, or becomes another one.
pub fn ends(name: &str) -> bool {
    exits(name) || fails(name) || BECOMES_ANOTHER.contains(&name)
}

/// Whether it changes the environment.
pub fn changes_environment(name: &str) -> bool {
    ENVIRONMENT.contains(&name)
}

/// Whether it takes the next option of those the program is started with.
pub fn takes_options(name: &str) -> bool {
    TAKES_OPTIONS.contains(&name)
}

/// Whether it gives new memory of the host.
pub fn allocates(name: &str) -> bool {
    ALLOCATES.contains(&name)
}

/// Whether it stores to a word that other threads see.
pub fn stores_atomically(name: &str) -> bool {
    STORES_ATOMICALLY.contains(&name) || adds_atomically(name)
}

/// Whether it adds to such a word.
pub fn adds_atomically(name: &str) -> bool {
    ADDS_ATOMICALLY.contains(&name)
}

/// Whether, as a method of such a word, it adds to it or takes from it.
pub fn counts_atomically(name: &str) -> bool {
    COUNTS_ATOMICALLY.contains(&name)
}

/// Whether it stores to such a word if that holds what was expected, and else says what it holds.
pub fn compares_atomically(name: &str) -> bool {
    COMPARES_ATOMICALLY.contains(&name)
}

/// Whether it loads such a word.
pub fn loads_atomically(name: &str) -> bool {
    LOADS_ATOMICALLY.contains(&name)
}

/// Whether somebody gets to see what it is handed.
pub fn prints(name: &str) -> bool {
    PRINTS.contains(&name)
}

/// Whether it waits for other threads of the host, begins or ends them, or hands them work.
pub fn orders(name: &str) -> bool {
    ORDERS.contains(&name) || waits_some_time(name)
}

/// Whether it takes or gives a lock, tells others something, or stores it where they see it.
pub fn tells(name: &str) -> bool {
    TELLS.contains(&name)
}

/// Methods that count only where a text shows that they can be meant.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What they are called.
    pub methods: &'static [&'static str],
    /// What stands in a text then.
    pub signs: &'static [&'static str],
}

/// Methods of futures and promises that wait.
pub const FUTURES: Family = Family {
    methods: OF_FUTURES,
    signs: SIGNS_OF_FUTURES,
};

/// Methods of atomics that store.
pub const ATOMICS: Family = Family {
    methods: OF_ATOMICS,
    signs: SIGNS_OF_ATOMICS,
};

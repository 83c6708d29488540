//! The fuzz targets as libFuzzer runs them.

use std::sync::OnceLock;

pub mod bodies;

/// Runs a target on a thread with as much stack as the threads of a run have.
pub fn with_room(work: impl FnOnce() + Send) {
    static POOL: OnceLock<rayon::ThreadPool> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1);
        let threads = threads.stack_size(bodies::STACK_BYTES);
        threads.build().expect("a thread")
    });
    pool.install(work);
}

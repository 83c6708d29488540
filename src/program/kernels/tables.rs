//! Names the CUDA toolkit gives to device code, and what summaries need to know of them.

/// What a device function of the toolkit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intrinsic {
    /// Atomic read-modify-write of what the first argument points to.
    Update,
    /// `atomicExch`.
    Exchange,
    /// `atomicCAS`.
    Compare,
    /// A load that is repeated, and that goes with a loop that does nothing else.
    WeakLoad,
    /// A store through the first argument of the second.
    Store,
    /// `memcpy`: writes through the first, reads through the second argument.
    Copy,
    /// `memset`.
    Fill,
    /// A barrier or fence: memory is read again after it.
    Fence,
    /// The thread pauses; memory is read again after it.
    Sleep,
    /// A clock.
    Clock,
    /// The thread never comes back.
    Trap,
    /// Hands on its value argument (at this position): a shuffle or a vote.
    Broadcast(usize),
    /// A function of its arguments only.
    Pure,
    /// No effect and no value that matters.
    Ignored,
    /// Uses the device heap or the print buffer.
    Heap,
    /// Differs between threads.
    Thread,
    /// `this_grid()`.
    Grid,
    /// Another cooperative group.
    Group,
    /// `cg::sync(group)`.
    GroupSync,
}

/// The intrinsic a function name stands for.
pub(super) fn intrinsic(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    Some(match name {
        "printf"
        | "vprintf"
        | "assert"
        | "__assert_fail"
        | "__assertfail"
        | "malloc"
        | "free"
        | "__nv_aligned_device_malloc" => I::Heap,
        "__ldcv" | "__ldcg" | "__ldlu" | "__ldg" | "__ldca" | "__ldcs" => I::WeakLoad,
        "__stcg" | "__stwt" | "__stcs" | "__stwb" => I::Store,
        "memcpy" | "memmove" => I::Copy,
        "memset" => I::Fill,
        "__threadfence"
        | "__threadfence_block"
        | "__threadfence_system"
        | "__syncthreads"
        | "__syncwarp"
        | "atomic_thread_fence"
        | "__cluster_barrier_sync"
        | "__barrier_sync"
        | "__barrier_sync_count"
        | "__pipeline_commit"
        | "__pipeline_wait_prior"
        | "__pipeline_memcpy_async"
        | "memcpy_async" => I::Fence,
        "clock" | "clock64" | "__clock64" | "__globaltimer" | "__nvvm_read_ptx_sreg_clock64" | "now" => {
            I::Clock
        }
        "__trap" | "abort" | "__brkpt" | "__builtin_unreachable" | "exit" => I::Trap,
        "__shfl_sync" | "__shfl_up_sync" | "__shfl_down_sync" | "__shfl_xor_sync" => I::Broadcast(1),
        "__any_sync" | "__all_sync" | "__ballot_sync" | "__reduce_or_sync" | "__reduce_and_sync" => {
            I::Broadcast(1)
        }
        "__shfl" | "__shfl_up" | "__shfl_down" | "__shfl_xor" | "__any" | "__all" | "__ballot"
        | "__syncthreads_or" | "__syncthreads_and" => I::Broadcast(0),
        "__syncthreads_count" | "__reduce_add_sync" | "__reduce_max_sync" | "__reduce_min_sync" => I::Pure,
        "__builtin_expect" | "__builtin_assume_aligned" | "forward" | "move" | "as_const" => I::Broadcast(0),
        "__nanosleep" => I::Sleep,
        "__prof_trigger" | "__builtin_assume" | "static_assert" | "__builtin_prefetch" => I::Ignored,
        "__activemask" | "__lanemask_lt" | "__match_any_sync" => I::Thread,
        "this_grid" => I::Grid,
        "this_thread_block" | "tiled_partition" | "coalesced_threads" | "this_cluster" | "this_thread"
        | "labeled_partition" | "binary_partition" => I::Group,
        "sync" => I::GroupSync,
        "__cvta_generic_to_global" | "__cvta_generic_to_shared" | "__cvta_global_to_generic" => {
            I::Broadcast(0)
        }
        _ => return atomic(name).or_else(|| is_pure(name).then_some(I::Pure)),
    })
}

/// What a function of a library that ships with the toolkit does, by its qualified name.
pub(super) fn library(path: &[String]) -> Option<Intrinsic> {
    let (last, spaces) = path.split_last()?;
    let in_library = spaces.iter().any(|space| {
        matches!(
            space.as_str(),
            "cub" | "thrust" | "std" | "wmma" | "curand" | "cg" | "cooperative_groups"
        )
    });
    match last.as_str() {
        "store_matrix_sync" => Some(Intrinsic::Store),
        "load_matrix_sync" | "fill_fragment" | "mma_sync" | "bmma_sync" => Some(Intrinsic::Pure),
        last if last.starts_with("tex") || last.starts_with("surf") || last.starts_with("curand") => {
            Some(Intrinsic::Pure)
        }
        // Run-time calls of dynamic parallelism.
        last if last.starts_with("cuda") => Some(Intrinsic::Ignored),
        _ => in_library.then_some(Intrinsic::Pure),
    }
}

fn atomic(name: &str) -> Option<Intrinsic> {
    let operation = name.strip_prefix("atomic")?;
    let operation = operation
        .strip_suffix("_system")
        .or(operation.strip_suffix("_block"))
        .unwrap_or(operation);
    match operation {
        "Exch" => Some(Intrinsic::Exchange),
        "CAS" => Some(Intrinsic::Compare),
        "Add" | "Sub" | "Inc" | "Dec" | "Min" | "Max" | "And" | "Or" | "Xor" => Some(Intrinsic::Update),
        _ => None,
    }
}

/// The operation of a compiler's atomic built-in whose operand is a value, named like the methods of `std::atomic`:
/// `__atomic_load_n`, `__hip_atomic_fetch_add`, `__nv_atomic_compare_exchange_n`.
pub(super) fn builtin_atomic(name: &str) -> Option<&str> {
    let families = ["__hip_atomic_", "__nv_atomic_", "__atomic_", "__scoped_atomic_"];
    let operation = families.iter().find_map(|it| name.strip_prefix(it))?;
    let by_value = operation.strip_suffix("_n");
    let takes_values = *families.first()? == &name[..name.len() - operation.len()];
    match by_value.unwrap_or(operation) {
        it @ ("load" | "store" | "exchange" | "compare_exchange") if by_value.is_some() || takes_values => {
            Some(it)
        }
        it @ ("compare_exchange_strong" | "compare_exchange_weak") if takes_values => Some(it),
        it @ ("fetch_add" | "fetch_sub" | "fetch_and" | "fetch_or" | "fetch_xor" | "fetch_min"
        | "fetch_max" | "add" | "sub" | "and" | "or" | "xor" | "min" | "max") => Some(it),
        _ => None,
    }
}

/// Arithmetic: the value depends on the arguments only.
fn is_pure(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "min",
        "max",
        "abs",
        "labs",
        "llabs",
        "fabs",
        "fabsf",
        "fmin",
        "fminf",
        "fmax",
        "fmaxf",
        "sqrt",
        "sqrtf",
        "rsqrt",
        "rsqrtf",
        "exp",
        "expf",
        "exp2",
        "exp2f",
        "log",
        "logf",
        "log2",
        "log2f",
        "log10",
        "log10f",
        "pow",
        "powf",
        "sin",
        "sinf",
        "cos",
        "cosf",
        "tan",
        "tanf",
        "sincos",
        "sincosf",
        "atan",
        "atanf",
        "atan2",
        "atan2f",
        "acos",
        "acosf",
        "asin",
        "asinf",
        "sinh",
        "cosh",
        "tanh",
        "tanhf",
        "sinhf",
        "coshf",
        "erf",
        "erff",
        "erfc",
        "erfcf",
        "floor",
        "floorf",
        "ceil",
        "ceilf",
        "round",
        "roundf",
        "rint",
        "rintf",
        "trunc",
        "truncf",
        "fmod",
        "fmodf",
        "fma",
        "fmaf",
        "cbrt",
        "cbrtf",
        "hypot",
        "hypotf",
        "ldexp",
        "frexp",
        "copysign",
        "copysignf",
        "isnan",
        "isinf",
        "isfinite",
        "signbit",
        "div_ceil",
        "ceil_div",
    ];
    const PREFIXES: &[&str] = &[
        "__float",
        "__int",
        "__uint",
        "__ll",
        "__ull",
        "__double",
        "__half",
        "__f",
        "__d",
        "__h",
        "__v",
        "__pop",
        "__clz",
        "__ffs",
        "__brev",
        "__byte_perm",
        "__funnel",
        "__mul",
        "__umul",
        "__sad",
        "__usad",
        "__dp",
        "__exp",
        "__log",
        "__sin",
        "__cos",
        "__tan",
        "__pow",
        "__saturate",
        "__bfloat",
        "__low",
        "__high",
        "__nv_",
        "__rhadd",
        "__fns",
        "__is",
        "make_",
        "__hadd",
    ];
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// `true` for types of cooperative groups smaller than the grid.
pub(super) fn is_group_type(name: &str) -> bool {
    matches!(
        name,
        "thread_block"
            | "thread_block_tile"
            | "thread_group"
            | "coalesced_group"
            | "cluster_group"
            | "tiled_group"
    )
}

/// Bytes of a scalar or vector type; 0 when the type is not known.
pub fn type_size(name: &str) -> u64 {
    match name {
        "char" | "signed char" | "unsigned char" | "bool" | "int8_t" | "uint8_t" | "uchar" | "std::byte" => 1,
        "short" | "unsigned short" | "short int" | "unsigned short int" | "int16_t" | "uint16_t" | "half"
        | "__half" | "__nv_bfloat16" | "nv_bfloat16" | "ushort" | "char2" | "uchar2" => 2,
        "int" | "unsigned" | "unsigned int" | "float" | "int32_t" | "uint32_t" | "uint" | "half2"
        | "__half2" | "short2" | "ushort2" | "char4" | "uchar4" | "signed" | "signed int" => 4,
        "double"
        | "long"
        | "unsigned long"
        | "long int"
        | "unsigned long int"
        | "long long"
        | "unsigned long long"
        | "long long int"
        | "unsigned long long int"
        | "int64_t"
        | "uint64_t"
        | "size_t"
        | "ssize_t"
        | "ptrdiff_t"
        | "uintptr_t"
        | "intptr_t"
        | "float2"
        | "int2"
        | "uint2"
        | "ulong" => 8,
        "float3" | "int3" | "uint3" | "dim3" => 12,
        "float4" | "int4" | "uint4" | "double2" | "longlong2" | "ulonglong2" | "long2" => 16,
        "double3" => 24,
        "double4" | "longlong4" => 32,
        _ => 0,
    }
}

//! Enumerators of the CUDA headers that decide something.

/// `cudaLimitStackSize`.
pub const STACK_LIMIT: i64 = 0;

/// `cudaErrorNotReady`, `CUDA_ERROR_NOT_READY`.
pub const NOT_READY: i64 = 600;

/// The value of an enumerator or flag.
pub fn cuda_constant(name: &str) -> Option<i64> {
    Some(match name {
        "cudaSuccess"
        | "CUDA_SUCCESS"
        | "hipSuccess"
        | "ncclSuccess"
        | "CUBLAS_STATUS_SUCCESS"
        | "CUFFT_SUCCESS"
        | "cudaStreamDefault"
        | "CU_STREAM_DEFAULT"
        | "cudaMemcpyHostToHost"
        | "CU_STREAM_WAIT_VALUE_GEQ"
        | "cudaStreamCaptureModeGlobal"
        | "CU_STREAM_CAPTURE_MODE_GLOBAL"
        | "cudaStreamCaptureStatusNone"
        | "CU_STREAM_CAPTURE_STATUS_NONE"
        | "cudaEventRecordDefault"
        | "cudaEventWaitDefault"
        | "CU_EVENT_RECORD_DEFAULT"
        | "CU_EVENT_WAIT_DEFAULT"
        | "hipMemcpyHostToHost"
        | "hipStreamDefault"
        | "cudaLimitStackSize"
        | "CU_LIMIT_STACK_SIZE"
        | "EXIT_SUCCESS" => 0,
        "cudaStreamNonBlocking"
        | "CU_STREAM_NON_BLOCKING"
        | "hipStreamNonBlocking"
        | "cudaMemcpyHostToDevice"
        | "cudaMemcpySrcAccessOrderStream"
        | "CU_MEMCPY_SRC_ACCESS_ORDER_STREAM"
        | "hipMemcpyHostToDevice"
        | "CU_STREAM_WAIT_VALUE_EQ"
        | "cudaStreamLegacy"
        | "CU_STREAM_LEGACY"
        | "CU_STREAM_MEM_OP_WAIT_VALUE_32"
        | "cudaStreamCaptureModeThreadLocal"
        | "CU_STREAM_CAPTURE_MODE_THREAD_LOCAL"
        | "cudaStreamCaptureStatusActive"
        | "CU_STREAM_CAPTURE_STATUS_ACTIVE"
        | "cudaEventRecordExternal"
        | "cudaEventWaitExternal"
        | "CU_EVENT_RECORD_EXTERNAL"
        | "CU_EVENT_WAIT_EXTERNAL"
        | "cudaGraphInstantiateFlagAutoFreeOnLaunch"
        | "CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH"
        | "CU_MODULE_EAGER_LOADING"
        | "cudaLimitPrintfFifoSize"
        | "CU_LIMIT_PRINTF_FIFO_SIZE"
        | "EXIT_FAILURE" => 1,
        "cudaMemcpyDeviceToHost"
        | "cudaMemcpySrcAccessOrderDuringApiCall"
        | "CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL"
        | "hipMemcpyDeviceToHost"
        | "CU_STREAM_WAIT_VALUE_AND"
        | "cudaStreamPerThread"
        | "CU_STREAM_PER_THREAD"
        | "CU_STREAM_MEM_OP_WRITE_VALUE_32"
        | "cudaStreamCaptureModeRelaxed"
        | "CU_STREAM_CAPTURE_MODE_RELAXED"
        | "cudaGraphInstantiateFlagUpload"
        | "CU_MODULE_LAZY_LOADING"
        | "cudaLimitMallocHeapSize"
        | "CU_LIMIT_MALLOC_HEAP_SIZE"
        | "cudaStreamCaptureStatusInvalidated" => 2,
        "cudaMemcpyDeviceToDevice"
        | "hipMemcpyDeviceToDevice"
        | "cudaMemcpySrcAccessOrderAny"
        | "CU_MEMCPY_SRC_ACCESS_ORDER_ANY"
        | "CU_STREAM_WAIT_VALUE_NOR" => 3,
        "cudaGraphInstantiateFlagDeviceLaunch"
        | "cudaMemcpyDefault"
        | "hipMemcpyDefault"
        | "CU_STREAM_MEM_OP_WAIT_VALUE_64" => 4,
        "CU_STREAM_MEM_OP_WRITE_VALUE_64" => 5,
        "cudaGraphInstantiateFlagUseNodePriority" => 8,
        "cudaErrorNotReady" | "CUDA_ERROR_NOT_READY" | "hipErrorNotReady" => NOT_READY,
        _ => return None,
    })
}

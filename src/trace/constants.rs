//! Enumerators of the CUDA headers that decide something.

/// The value of an enumerator or flag.
pub(super) fn cuda_constant(name: &str) -> Option<i64> {
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
        | "hipMemcpyHostToHost"
        | "hipStreamDefault"
        | "EXIT_SUCCESS" => 0,
        "cudaStreamNonBlocking"
        | "CU_STREAM_NON_BLOCKING"
        | "hipStreamNonBlocking"
        | "cudaMemcpyHostToDevice"
        | "hipMemcpyHostToDevice"
        | "CU_STREAM_WAIT_VALUE_EQ"
        | "cudaStreamLegacy"
        | "CU_STREAM_LEGACY"
        | "CU_STREAM_MEM_OP_WAIT_VALUE_32"
        | "cudaStreamCaptureModeThreadLocal"
        | "EXIT_FAILURE" => 1,
        "cudaMemcpyDeviceToHost"
        | "hipMemcpyDeviceToHost"
        | "CU_STREAM_WAIT_VALUE_AND"
        | "cudaStreamPerThread"
        | "CU_STREAM_PER_THREAD"
        | "CU_STREAM_MEM_OP_WRITE_VALUE_32"
        | "cudaStreamCaptureModeRelaxed" => 2,
        "cudaMemcpyDeviceToDevice" | "hipMemcpyDeviceToDevice" | "CU_STREAM_WAIT_VALUE_NOR" => 3,
        "cudaMemcpyDefault" | "hipMemcpyDefault" | "CU_STREAM_MEM_OP_WAIT_VALUE_64" => 4,
        "CU_STREAM_MEM_OP_WRITE_VALUE_64" => 5,
        "cudaErrorNotReady" | "CUDA_ERROR_NOT_READY" | "hipErrorNotReady" => 600,
        _ => return None,
    })
}

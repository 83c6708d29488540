#include "device_batches.h"

namespace xb {

namespace {

struct ReleaseToken {
  ThreadedIter<StagedPage>* iter;
  StagedPage* page;
};

}  // namespace

StagedPage::StagedPage(std::size_t capacity) : capacity_{capacity} {
  XB_CUDA(cudaMallocHost(reinterpret_cast<void**>(&host_), capacity * sizeof(float)));
  cudaError_t const status = cudaMalloc(reinterpret_cast<void**>(&device_), capacity * sizeof(float));
  if (status != cudaSuccess) {
    (void)cudaFreeHost(host_);
    XB_CUDA(status);
  }
}

StagedPage::~StagedPage() {
  (void)cudaFree(device_);
  (void)cudaFreeHost(host_);
}

std::vector<std::unique_ptr<StagedPage>> DeviceBatches::MakePages(BatchParam const& param) {
  std::vector<std::unique_ptr<StagedPage>> pages;
  for (std::size_t i = 0; i < param.n_prefetch; ++i) {
    pages.push_back(std::make_unique<StagedPage>(param.page_size));
  }
  return pages;
}

DeviceBatches::DeviceBatches(std::unique_ptr<PageSource> source, BatchParam const& param)
    : source_{std::move(source)}, iter_{MakePages(param)} {
  XB_CHECK(source_ != nullptr);
  iter_.Init([this](StagedPage* page) {
    page->Resize(source_->Read(page->HostValues(), page->Capacity()));
    return page->Size() != 0;
  });
}

DeviceBatches::~DeviceBatches() { iter_.Destroy(); }

bool DeviceBatches::Next(cudaStream_t stream, DeviceBatch* out) {
  StagedPage* page = nullptr;
  if (!iter_.Next(&page)) {
    return false;
  }
  out->page = page;
  out->values = page->DeviceValues();
  out->size = page->Size();
  cudaError_t const status =
      cudaMemcpyAsync(page->DeviceValues(), page->HostValues(), page->Size() * sizeof(float),
                      cudaMemcpyHostToDevice, stream);
  if (status != cudaSuccess) {
    iter_.Recycle(page);
    XB_CUDA(status);
  }
  return true;
}

void DeviceBatches::Release(cudaStream_t stream, DeviceBatch* batch) {
  XB_CHECK(batch->page != nullptr);
  auto token = std::make_unique<ReleaseToken>(ReleaseToken{&iter_, batch->page});
  XB_CUDA(cudaLaunchHostFunc(stream, &DeviceBatches::OnReleased, token.get()));
  token.release();
  *batch = DeviceBatch{};
}

void CUDART_CB DeviceBatches::OnReleased(void* arg) {
  std::unique_ptr<ReleaseToken> token{static_cast<ReleaseToken*>(arg)};
  token->iter->Recycle(token->page);
}

}  // namespace xb

// SPDX-License-Identifier: GPL-2.0-or-later
//
// The runtime page as the agent reads it: the input is how the page begins, the rest is zeros.
#include "spank_vm/agent/rank_slots.hpp"

#include "layout/runtime_page.h"
#include "spank_vm/agent/rank_survey.hpp"
#include "spank_vm/node/control_file.hpp"
#include "spank_vm/temporary_directory.hpp"
#include "target.hpp"

#include <algorithm>
#include <fcntl.h>

namespace vmall::fuzz {

namespace {

// In which only the page is, of zeros.
class Directory {
  public:
    Directory()
        : directory_(temporary_.open()),
          page_(openat(directory_.get(), spank_vm::runtime_file_name, O_RDWR | O_CREAT | O_CLOEXEC,
                       S_IRUSR | S_IWUSR)) {
        expect(ftruncate(page_.get(), sizeof(vmall_runtime_page)) == 0, "the page is in its file");
    }
    const common::Descriptor &descriptor() const { return directory_; }
    void begin_page_with(const std::string &bytes) {
        expect(pwrite(page_.get(), bytes.data(), bytes.size(), 0) ==
                   static_cast<ssize_t>(bytes.size()),
               "the page is written");
    }

  private:
    TemporaryDirectory temporary_;
    common::Descriptor directory_, page_;
};

} // namespace

void decode(const std::string &input) {
    static Directory directory;
    const std::string bytes = input.substr(0, sizeof(vmall_runtime_page));
    directory.begin_page_with(bytes);
    const std::vector<agent::RankSlot> slots = agent::read_rank_slots(directory.descriptor());
    directory.begin_page_with(std::string(bytes.size(), '\0'));
    expect(slots.size() <= VMALL_RUNTIME_SLOTS, "a page has so many slots");
    const control::RankReport report = agent::survey_ranks({}, slots, {});
    expect(report.attached == 0, "who is no process of the job is not attached");
}

} // namespace vmall::fuzz

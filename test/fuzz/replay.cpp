// SPDX-License-Identifier: GPL-2.0-or-later
//
// Gives a target each of its samples: what make check runs instead of libFuzzer.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

namespace fs = std::filesystem;

void replay(const fs::path &sample) {
    std::printf("%s\n", sample.filename().c_str());
    std::fflush(stdout); // it may be the last
    std::ifstream file(sample, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
}

} // namespace

int main() {
    const fs::directory_iterator begin(fs::path(CORPUS) / program_invocation_short_name);
    std::vector<fs::path> samples(begin, fs::directory_iterator());
    std::sort(samples.begin(), samples.end());
    for (const fs::path &sample : samples)
        replay(sample);
    return samples.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}

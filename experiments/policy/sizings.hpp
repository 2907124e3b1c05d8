// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sizing policies that only papers have.
#pragma once

#include "policy/policies.hpp"
#include "policy/sizing/sizing.hpp"

#include <memory>

namespace vmall::policy::papers {

std::unique_ptr<SizingPolicy> make_fjt_prose();
std::unique_ptr<SizingPolicy> make_asp60();

// Their rows, beside those of rows<SizingPolicy>().
extern const Row<SizingPolicy> fjt_prose;
extern const Row<SizingPolicy> asp60;

// The policies made of them, to be shown behind policies().
const Policies &policies();

} // namespace vmall::policy::papers

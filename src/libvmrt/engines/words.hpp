// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parameter lists of so many words, and the same words as arguments.
#pragma once

#include "libvmrt/engines/mpi_library.hpp"

#define VMALL_WORDS_0
#define VMALL_WORDS_1 Word a
#define VMALL_WORDS_2 VMALL_WORDS_1, Word b
#define VMALL_WORDS_3 VMALL_WORDS_2, Word c
#define VMALL_WORDS_4 VMALL_WORDS_3, Word d
#define VMALL_WORDS_5 VMALL_WORDS_4, Word e
#define VMALL_WORDS_6 VMALL_WORDS_5, Word f
#define VMALL_WORDS_7 VMALL_WORDS_6, Word g
#define VMALL_WORDS_8 VMALL_WORDS_7, Word h
#define VMALL_WORDS_9 VMALL_WORDS_8, Word i
#define VMALL_WORDS_10 VMALL_WORDS_9, Word j
#define VMALL_WORDS_11 VMALL_WORDS_10, Word k
#define VMALL_WORDS_12 VMALL_WORDS_11, Word l

#define VMALL_NAMES_0
#define VMALL_NAMES_1 a
#define VMALL_NAMES_2 VMALL_NAMES_1, b
#define VMALL_NAMES_3 VMALL_NAMES_2, c
#define VMALL_NAMES_4 VMALL_NAMES_3, d
#define VMALL_NAMES_5 VMALL_NAMES_4, e
#define VMALL_NAMES_6 VMALL_NAMES_5, f
#define VMALL_NAMES_7 VMALL_NAMES_6, g
#define VMALL_NAMES_8 VMALL_NAMES_7, h
#define VMALL_NAMES_9 VMALL_NAMES_8, i
#define VMALL_NAMES_10 VMALL_NAMES_9, j
#define VMALL_NAMES_11 VMALL_NAMES_10, k
#define VMALL_NAMES_12 VMALL_NAMES_11, l

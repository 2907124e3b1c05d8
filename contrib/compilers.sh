# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# How the scripts here get through a build soonest: sourced by them before they configure.

: "${program:?}"
# bash, which configure prefers, takes a third of the time of a build to start, for libtool alone. ccache may ignore what
# CONTRIBUTING says, so that it can cache what includes the precompiled header, and goes by the dependencies that the compiler
# lists: neither has it to preprocess a file that is new, nor to read the precompiled header of one that is not.
export CONFIG_SHELL=/bin/sh CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
works_with_ccache() { (cd "$1" && echo 'int probe;' >probe.c && ccache gcc -c probe.c) 2>/dev/null; } # DIRECTORY

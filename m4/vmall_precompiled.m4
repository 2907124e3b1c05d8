# SPDX-License-Identifier: GPL-2.0-or-later

# VMALL_PRECOMPILED: with GCC, a Makefile.am that begins its AM_CXXFLAGS with $(PRECOMPILED) $(VMALL_CXXFLAGS) has
# precompiled/standard.hpp compiled already in all of its files.
#
# GCC looks for a usable one in the folder standard.hpp.gch, and reads the header itself if there is none: the flags
# must be those of precompiled/Makefile.am. Clang demands one and no other, and takes it for an error if flags differ.
AC_DEFUN([VMALL_PRECOMPILED], [
AC_MSG_CHECKING([whether the compiler is GCC, to precompile headers])
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#if !defined __GNUC__ || defined __clang__
#error "no"
#endif]])], [precompiled=yes], [precompiled=no])
AC_MSG_RESULT([$precompiled])
AM_CONDITIONAL([PRECOMPILED], [test $precompiled = yes])
PRECOMPILED=
dnl -fpch-preprocess is for ccache.
AS_IF([test $precompiled = yes],
    [PRECOMPILED='-include $(top_builddir)/precompiled/standard.hpp -fpch-preprocess'])
AC_SUBST([PRECOMPILED])
AC_SUBST([PIC_CXXFLAGS], [$lt_prog_compiler_pic_CXX])
AC_CONFIG_LINKS([precompiled/standard.hpp:precompiled/standard.hpp])
])

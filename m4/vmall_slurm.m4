# SPDX-License-Identifier: GPL-2.0-or-later

# VMALL_SLURM_VERSION(variable): turns SLURM_VERSION_NUMBER in it into the major.minor.micro that people know.
AC_DEFUN([VMALL_SLURM_VERSION],
    [$1=$(printf '%d.%02d.%d' $(($$1 >> 16)) $(($$1 >> 8 & 255)) $(($$1 & 255)))])

# VMALL_SLURM: the installed libslurm, and the source tree that belongs to it.
#
# The select and sched plugin interfaces demand the very version they were built for, and a tree that
# merely claims it crashes slurmctld later; so the versions are compared here, before anything is built.
AC_DEFUN([VMALL_SLURM], [
AC_ARG_WITH([slurm],
    [AS_HELP_STRING([--with-slurm=DIR], [prefix that Slurm is installed in (default: the system's)])])
AC_ARG_WITH([slurm-source],
    [AS_HELP_STRING([--with-slurm-source=DIR],
        [configured source tree of the installed Slurm (default: where contrib/slurm-source put it)])],
    [], [with_slurm_source=$(cd "$srcdir" && pwd)/.slurm-source/slurm])
AC_ARG_WITH([slurm-plugindir],
    [AS_HELP_STRING([--with-slurm-plugindir=DIR],
        [where Slurm looks for plugins (default: LIBDIR/slurm-wlm or LIBDIR/slurm, whichever exists)])])

AS_CASE([$with_slurm], [''], [slurm_plugindirs="/usr/lib/$(gcc -print-multiarch 2>/dev/null)/slurm-wlm /usr/lib64/slurm /usr/lib/slurm"],
    [/*], [
        for dir in "$with_slurm/lib64" "$with_slurm/lib"; do
            AS_IF([test -f "$dir/libslurm.so"], [slurm_libdir=$dir; break])
        done
        AS_IF([test -z "$slurm_libdir"], [AC_MSG_ERROR([no Slurm in $with_slurm: neither lib64 nor lib there has libslurm.so])])
        slurm_plugindirs=$slurm_libdir/slurm
        SLURM_LDFLAGS="-L$slurm_libdir -Wl,-rpath,$slurm_libdir"
        CPPFLAGS="-isystem $with_slurm/include $CPPFLAGS"],
    [AC_MSG_ERROR([--with-slurm: '$with_slurm' is no absolute path])])

AC_LANG_PUSH([C])
AC_CHECK_HEADER([slurm/slurm.h], [], [VMALL_NEED([libslurm], [libslurm-dev], [slurm-devel])])
AC_CHECK_LIB([slurm], [slurm_api_version], [SLURM_LIBS="$SLURM_LDFLAGS -lslurm"],
    [VMALL_NEED([libslurm], [libslurm-dev], [slurm-devel])], [$SLURM_LDFLAGS])
AC_LANG_POP([C])
AC_SUBST([SLURM_LIBS])

AC_MSG_CHECKING([for the installed Slurm's version])
AC_COMPUTE_INT([slurm_installed], [SLURM_VERSION_NUMBER], [#include <slurm/slurm.h>])
VMALL_SLURM_VERSION([slurm_installed])
AC_MSG_RESULT([$slurm_installed])
AC_MSG_CHECKING([for Slurm's source tree])
AS_IF([test ! -f "$with_slurm_source/slurm/slurm_version.h"], [
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([no configured Slurm source tree in $with_slurm_source: run contrib/slurm-source, or give --with-slurm-source=DIR])])
slurm_source=$(($(sed -n 's/^#define SLURM_VERSION_NUMBER \(0x.*\)$/\1/p' "$with_slurm_source/slurm/slurm_version.h")))
VMALL_SLURM_VERSION([slurm_source])
AC_MSG_RESULT([$with_slurm_source ($slurm_source)])
AS_IF([test "x$slurm_source" != "x$slurm_installed"], [
    AC_MSG_ERROR([the Slurm source tree in $with_slurm_source is version $slurm_source, the installed libslurm is $slurm_installed: select and sched plugins need the same major.minor.micro])])

AS_CASE([$slurm_installed], [22.05.*|24.11.*], [],
    [AC_MSG_WARN([all tests are run with Slurm 22.05 and 24.11 only: CONTRIBUTING.md says what was run with others])])

AC_MSG_CHECKING([where Slurm looks for plugins])
for dir in $slurm_plugindirs; do
    AS_IF([test -f "$dir/select_cons_tres.so"], [slurm_installed_plugindir=$dir; break])
done
AS_IF([test -n "$with_slurm_plugindir"], [slurmplugindir=$with_slurm_plugindir],
    [test -n "$slurm_installed_plugindir"], [slurmplugindir='${libdir}/'$(basename "$slurm_installed_plugindir")],
    [slurmplugindir='${libdir}/slurm'])
AC_MSG_RESULT([$slurmplugindir])
dnl With the plugins comes the library that Slurm's own commands use; only a test program does.
AC_SUBST([SLURM_INSTALLED_PLUGINDIR], [$slurm_installed_plugindir])
AM_CONDITIONAL([SLURM_FULL], [test -f "$slurm_installed_plugindir/libslurmfull.so"])
AC_SUBST([slurmplugindir])
AC_SUBST([SLURM_SOURCE], [$with_slurm_source])
AC_SUBST([SLURM_CPPFLAGS], ["-isystem $with_slurm_source"])
])

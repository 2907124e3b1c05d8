# SPDX-License-Identifier: GPL-2.0-or-later

# VMALL_METRICS: prometheus-cpp, which writes the text that Prometheus reads (core), for vmctl metrics, and serves it
# (pull), for vmall-exporter.
AC_DEFUN([VMALL_METRICS], [
AC_ARG_WITH([metrics],
    [AS_HELP_STRING([--without-metrics], [leave out vmall-exporter and vmctl metrics, which need prometheus-cpp])])
AM_CONDITIONAL([METRICS], [test "x$with_metrics" != xno])
AM_COND_IF([METRICS], [
    PKG_CHECK_MODULES([PROMETHEUS], [prometheus-cpp-core >= 1.0], [],
        [VMALL_NEED([prometheus-cpp], [prometheus-cpp-dev], [libprometheus-cpp-devel])])
    PKG_CHECK_MODULES([PROMETHEUS_PULL], [prometheus-cpp-pull >= 1.0], [],
        [VMALL_NEED([prometheus-cpp], [prometheus-cpp-dev], [libprometheus-cpp-devel])])
    AC_DEFINE([HAVE_METRICS], [1], [Define to have vmctl metrics.])])
])

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A SPANK plugin that puts tasks into a container as NVIDIA's pyxis does: in task_init, with a
 * mount namespace of its own, and a user namespace that knows nobody but the user if that is not
 * root. In the job's environment: CONTAINER, a directory, and CONTAINER_BINDS, paths with colons
 * between, for each of which there is one in the directory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

SPANK_PLUGIN(container, 1)

static int write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return written;
}

static int map_only(uid_t user, gid_t group) {
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", user, user);
    snprintf(groups, sizeof groups, "%u %u 1", group, group);
    return write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", users) &&
           write_file("/proc/self/gid_map", groups);
}

static int leave_the_namespaces(void) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    // A process that was root may not write its own files in /proc. Where / is no mount point, as
    // in a chroot, there is nothing to detach from others.
    return unshare(CLONE_NEWNS | (user ? CLONE_NEWUSER : 0)) == 0 &&
           (user == 0 || (prctl(PR_SET_DUMPABLE, 1) == 0 && map_only(user, group))) &&
           (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 || errno == EINVAL);
}

static int bind_all(const char *root, char *paths) {
    char inside[PATH_MAX], *rest;
    for (char *path = strtok_r(paths, ":", &rest); path; path = strtok_r(NULL, ":", &rest))
        if (snprintf(inside, sizeof inside, "%s%s", root, path) >= (int)sizeof inside ||
            mount(path, inside, NULL, MS_BIND | MS_REC, NULL) != 0)
            return 0;
    return 1;
}

int slurm_spank_task_init(spank_t spank, int argument_count, char **arguments) {
    char root[PATH_MAX], binds[8 * PATH_MAX], directory[PATH_MAX];
    (void)argument_count, (void)arguments;
    if (spank_getenv(spank, "CONTAINER", root, sizeof root) != ESPANK_SUCCESS)
        return ESPANK_SUCCESS;
    if (spank_getenv(spank, "CONTAINER_BINDS", binds, sizeof binds) != ESPANK_SUCCESS ||
        !getcwd(directory, sizeof directory) || !leave_the_namespaces() || !bind_all(root, binds) ||
        chroot(root) != 0 || chdir(directory) != 0) {
        slurm_error("container: cannot enter %s: %m", root);
        return ESPANK_ERROR;
    }
    return ESPANK_SUCCESS;
}

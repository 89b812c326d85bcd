/* Preloaded into a process, it notes what reaches the files of one folder, in order: writes, truncations, flushes,
 * removals. A record is a letter, three numbers of 8 bytes (offset, length of the path, length of the data), the path
 * and the data. POWER_FOLDER is the folder, POWER_TRACE the file of the records. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;

static void put(const void *data, size_t length) {
    while (length > 0) {
        ssize_t done = syscall(SYS_write, trace, data, length);
        if (done <= 0) abort();
        data = (const char *)data + done;
        length -= (size_t)done;
    }
}

static void note(char kind, const char *path, uint64_t offset, const void *data, uint64_t length) {
    const char *folder = getenv("POWER_FOLDER");
    if (folder == NULL || strncmp(path, folder, strlen(folder)) != 0) return;
    pthread_mutex_lock(&lock);
    if (trace < 0) trace = (int)syscall(SYS_openat, AT_FDCWD, getenv("POWER_TRACE"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    uint64_t numbers[3] = {offset, strlen(path), data == NULL ? 0 : length};
    put(&kind, 1);
    put(numbers, sizeof numbers);
    put(path, strlen(path));
    put(data, data == NULL ? 0 : length);
    pthread_mutex_unlock(&lock);
}

static void note_of(int file, char kind, uint64_t offset, const void *data, uint64_t length) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t end = readlink(link, path, sizeof path - 1);
    if (end < 0) return;
    path[end] = 0;
    note(kind, path, offset, data, length);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
    ssize_t done = REAL(pwrite64)(file, data, length, offset);
    if (done > 0) note_of(file, 'w', (uint64_t)offset, data, (uint64_t)done);
    return done;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) { return pwrite64(file, data, length, offset); }

ssize_t write(int file, const void *data, size_t length) {
    ssize_t done = syscall(SYS_write, file, data, length);
    if (done > 0) note_of(file, 'a', 0, data, (uint64_t)done);
    return done;
}

int ftruncate64(int file, off64_t size) {
    int failed = REAL(ftruncate64)(file, size);
    if (!failed) note_of(file, 't', (uint64_t)size, NULL, 0);
    return failed;
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

int fsync(int file) {
    int failed = REAL(fsync)(file);
    if (!failed) note_of(file, 's', 0, NULL, 0);
    return failed;
}

int fdatasync(int file) {
    int failed = REAL(fdatasync)(file);
    if (!failed) note_of(file, 's', 0, NULL, 0);
    return failed;
}

int unlink(const char *path) {
    int failed = REAL(unlink)(path);
    if (!failed) note('u', path, 0, NULL, 0);
    return failed;
}

/* Work in a process of its own: a faulty text may loop, or write anywhere. */
#ifndef FG_CHILD_H
#define FG_CHILD_H
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

/* Memory that a child's work shares with the test: zeros. */
static inline void *shared_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(memory, MAP_FAILED);
  return memory;
}

/* work(data), for so many seconds of a processor at most. False: it took its process down. */
static inline bool done_in_child(void (*work)(void *data), void *data, rlim_t seconds) {
  fflush(stdout);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const struct rlimit time = {seconds, seconds}, no_core = {0, 0};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_CORE, &no_core);
    for (int i = 1; i < 32; i++)
      if (i != SIGKILL && i != SIGSTOP) signal(i, SIG_DFL);
    if (!freopen("/dev/null", "w", stderr)) _exit(1);
    work(data);
    _exit(0);
  }
  int how;
  assert_int_equal(waitpid(child, &how, 0), child);
  return WIFEXITED(how) && WEXITSTATUS(how) == 0;
}
#endif

/* Targets that launch kernels need no device to write and prove their text. In: a list as campaign_oracle draws it, on
 * standard input, the door as the target. Out: lines "K passed PLAN, WHAT WAS WALKED", "K refused MESSAGE", "K crashed
 * ..." or "K hung
 * ...". Each case is a process of its own, whose processor time ends. */
#include "generator/pipeline/pipeline.h"
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 2048, SECONDS = 60 };

static int emit(const char *k, const char *target, char *problem) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  if (!cx.arena || fg_arena_guard(cx.arena)) return printf("%s refused out of memory\n", k), 1;
  char *plan = strstr(problem, " | ");
  if (plan) *plan = 0;
  fg_request request = {.problem = problem, .target = target, .plan = plan ? plan + strlen(" | ") : NULL};
  fg_status status = fg_pipeline_compile(&cx, &request, &c);
  if (status == FG_OK)
    printf("%s passed %s, %s\n", k, fg_plan_print(&cx, c.chosen.plan), c.text.walked);
  else
    printf("%s refused status %d: %s\n", k, (int)status, cx.diag.message);
  fg_arena_destroy(cx.arena);
  return status != FG_OK;
}

static void in_child(const char *k, const char *target, char *problem) {
  const struct rlimit limit = {SECONDS, SECONDS};
  setrlimit(RLIMIT_CPU, &limit);
  emit(k, target, problem);
  fflush(stdout);
  _exit(0);
}

int main(void) {
  char line[LINE], k[32], target[32];
  int text = 0;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "%31s %31s %*s %*s %n", k, target, &text) < 2) return 2;
    pid_t child = fork();
    int status = 0;
    if (child == 0) in_child(k, target, line + text);
    if (child < 0 || waitpid(child, &status, 0) < 0) return 2;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
      printf("%s hung %d s of processor time\n", k, SECONDS);
    else if (WIFSIGNALED(status) || WEXITSTATUS(status))
      printf("%s crashed %s\n", k, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "by an exit of its own");
    fflush(stdout);
  }
  return 0;
}

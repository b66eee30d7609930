/* Launches emitted kernels by their manifests, each case in a process of its own, at most 60 s of processor time: those
 * of CUDA, HIP, Metal and SYCL on this CPU (blocks.h), those of OpenCL on the first device. usage: run_launched DOOR
 * FOLDER CASES CASES has cK.so, or cK.cl, and cK_ENDING.json; it reads FOLDER/K.in, writes FOLDER/K.after, or or K.died
 * with a reason */
#define _DEFAULT_SOURCE
#include "case_file.h"
#include "launch.h"
#include "tables.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static case_file now;

static _Noreturn void refuse(const char *what, const char *name) {
  fprintf(stderr, "%s %s\n", what, name);
  _exit(6);
}

static const cJSON *item(const cJSON *row, const char *name) { return cJSON_GetObjectItemCaseSensitive(row, name); }

static const char *text_of(const cJSON *row, const char *name) {
  const cJSON *x = item(row, name);
  if (!cJSON_IsString(x)) refuse("the manifest lacks the text", name);
  return x->valuestring;
}

static long long number_of(const cJSON *row, const char *name, long long other) {
  const cJSON *x = item(row, name);
  if (!x && other < 0) refuse("the manifest lacks the number", name);
  return x ? (long long)x->valuedouble : other;
}

static cJSON *read_manifest(const char *path) {
  static char text[1 << 20];
  FILE *file = fopen(path, "rb");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[length] = 0;
  cJSON *manifest = cJSON_Parse(text);
  if (!manifest) refuse("no manifest", path);
  return manifest;
}

/* ---- places ------------------------------------------------------------------------------ */

static bool ends(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && strcmp(text + a - b, end) == 0;
}

/* The case's array for a place of the caller's. */
static const named *array_for(const char *name, const char *kind) {
  bool given = strcmp(kind, "given") == 0;
  char in_place[32];
  snprintf(in_place, sizeof in_place, "data%s", ends(name, "_re") ? "_re" : ends(name, "_im") ? "_im" : "");
  for (int i = 0; i < now.array_count; i++)
    if (strcmp(now.arrays[i].name, given || strncmp(now.arrays[0].name, "data", 4) != 0 ? name : in_place) == 0)
      return &now.arrays[i];
  refuse("no array", name);
}

/* Memory of the device's for each place; in place the output is the input. */
static void make_places(const cJSON *manifest, launch_place *place) {
  const cJSON *row;
  int n = 0;
  cJSON_ArrayForEach(row, item(manifest, "slots")) {
    const char *name = text_of(row, "name"), *kind = text_of(row, "kind");
    bool own = strcmp(kind, "work") == 0 || strcmp(kind, "table") == 0;
    launch_place *p = &place[n++];
    if (n > LAUNCH_PLACES) refuse("too many places, up to", name);
    *p = (launch_place){.bytes = (size_t)number_of(row, "bytes", -1), .shared = -1};
    p->array = own ? NULL : array_for(name, kind);
    if (p->array && (size_t)p->array->amount > p->bytes) p->bytes = (size_t)p->array->amount;
    for (int i = 0; p->array && i < n - 1; i++)
      if (place[i].array == p->array) p->shared = i;
    p->content = guarded((p->bytes + 15) / 16 * 16);
    if (!p->content) refuse("no memory for", name);
    memset(p->content, 0xff, p->bytes); /* no number */
    if (p->array) memcpy(p->content, p->array->content, (size_t)p->array->amount);
  }
}

static void fill_tables(const cJSON *manifest, launch_place *place) {
  bool wide = strcmp(text_of(manifest, "precision"), "f64") == 0;
  const cJSON *row;
  cJSON_ArrayForEach(row, item(manifest, "tables")) {
    launch_place *p = &place[number_of(row, "slot", -1)];
    if (table_fill(row, wide, p->content, p->bytes)) refuse("a table that nobody can fill:", text_of(row, "fill"));
  }
}

/* ---- launches -------------------------------------------------------------------------------- */

static size_t blocks_of(const cJSON *row) {
  size_t blocks = 1;
  const cJSON *factor;
  cJSON_ArrayForEach(factor, item(row, "blocks")) {
    long long value = number_of(factor, "times", -1), by = number_of(factor, "divided_by", 1);
    const cJSON *parameter = item(factor, "parameter");
    if (parameter) value *= (case_parameter(&now, parameter->valuestring) + by - 1) / by;
    blocks *= (size_t)value;
  }
  return blocks;
}

static void add_arguments(const cJSON *manifest, const cJSON *row, launch *l) {
  const cJSON *argument;
  cJSON_ArrayForEach(argument, item(row, "arguments")) {
    if (l->arguments == LAUNCH_ARGUMENTS) refuse("too many arguments of", l->kernel);
    launch_argument *a = &l->argument[l->arguments++];
    *a = (launch_argument){.place = item(argument, "slot") ? (int)number_of(argument, "slot", -1) : -1};
    if (a->place >= 0) continue;
    const cJSON *parameter =
        cJSON_GetArrayItem(item(manifest, "parameters"), (int)number_of(argument, "parameter", -1));
    a->place = -1;
    a->value = case_parameter(&now, text_of(parameter, "name"));
  }
}

static void run_all(const char *door, const char *code, const cJSON *manifest, launch_place *place) {
  const cJSON *row;
  launcher *l = launcher_open(door, code, place, cJSON_GetArraySize(item(manifest, "slots")));
  if (!l) refuse("no code:", code);
  cJSON_ArrayForEach(row, item(manifest, "launches")) {
    launch one = {.kernel = text_of(row, "kernel"),
                  .blocks = blocks_of(row),
                  .threads = (size_t)number_of(row, "threads", -1),
                  .cluster = (size_t)number_of(row, "cluster", 1),
                  .local_bytes = (size_t)number_of(row, "local_bytes", -1),
                  .persistent = cJSON_IsTrue(item(row, "persistent"))};
    add_arguments(manifest, row, &one);
    if (launcher_run(l, &one)) refuse("no launch of", one.kernel);
  }
  if (launcher_close(l)) refuse("nothing comes back from", code);
}

static int call(const char *door, const char *folder, const char *cases, int k) {
  static launch_place place[LAUNCH_PLACES];
  static const char *const endings[][3] = {
      {"cuda", "cu", "so"}, {"hip", "hip", "so"}, {"metal", "metal", "so"}, {"sycl", "hpp", "so"}, {"cl", "cl", "cl"}};
  const int last = sizeof endings / sizeof *endings - 1;
  char path[4096], code[4096];
  int which = 0;
  while (which < last && strcmp(endings[which][0], door) != 0) which++;
  snprintf(path, sizeof path, "%s/%d.said", folder, k);
  if (!freopen(path, "w", stderr) || setvbuf(stderr, NULL, _IONBF, 0)) return 4;
  snprintf(path, sizeof path, "%s/%d.in", folder, k);
  if (case_read(&now, path)) return 4;
  snprintf(path, sizeof path, "%s/c%d_%s.json", cases, k, endings[which][1]);
  snprintf(code, sizeof code, "%s/c%d.%s", cases, k, endings[which][2]);
  cJSON *manifest = read_manifest(path);
  make_places(manifest, place);
  fill_tables(manifest, place);
  run_all(door, code, manifest, place);
  for (int i = 0; i < cJSON_GetArraySize(item(manifest, "slots")); i++)
    if (place[i].array && place[i].shared < 0)
      memcpy(place[i].array->content, place[i].content, (size_t)place[i].array->amount);
  snprintf(path, sizeof path, "%s/%d.after", folder, k);
  return case_write(&now, path) ? 5 : 0;
}

static void note_death(const char *folder, int k, int status) {
  char path[4096], said[200] = "";
  snprintf(path, sizeof path, "%s/%d.said", folder, k);
  FILE *file = fopen(path, "r");
  if (file && !fgets(said, sizeof said, file)) *said = 0;
  if (file) fclose(file);
  snprintf(path, sizeof path, "%s/%d.died", folder, k);
  file = fopen(path, "w");
  if (!file) exit(1);
  if (case_hung(status))
    fprintf(file, "hung\n");
  else if (WIFSIGNALED(status))
    fprintf(file, "crashed by signal %d\n", WTERMSIG(status));
  else
    fprintf(file, "crashed %.*s, exit %d\n", (int)strcspn(said, "\n"), said, WEXITSTATUS(status));
  fclose(file);
}

int main(int argc, char **argv) {
  DIR *cases = argc == 4 ? opendir(argv[3]) : NULL;
  const struct dirent *e;
  int k, end;
  if (!cases) return 2;
  while ((e = readdir(cases))) {
    if (sscanf(e->d_name, "c%d%n", &k, &end) < 1 || strcmp(e->d_name + end, strcmp(argv[1], "cl") ? ".so" : ".cl") != 0)
      continue;
    pid_t child = fork();
    if (child == 0) case_limit(), _exit(call(argv[1], argv[2], argv[3], k));
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (status) note_death(argv[2], k, status);
  }
  closedir(cases);
  return 0;
}

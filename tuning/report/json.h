/* Reads values of JSON for reports. */
#ifndef FG_JSON_H
#define FG_JSON_H
#include <cjson/cJSON.h>

/* Of a member; what is missing, or of another type, is `otherwise`, "" and NULL. */
double fg_json_number(const cJSON *json, const char *name, double otherwise);
const char *fg_json_text(const cJSON *json, const char *name);
const cJSON *fg_json_list(const cJSON *json, const char *name);

/* As one line, the same in every locale; cJSON_free. NULL: out of memory. */
char *fg_json_print(const cJSON *json);
#endif

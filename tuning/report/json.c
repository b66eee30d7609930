/* See json.h. */
#include "tuning/report/json.h"
#include "targets/number.h"

double fg_json_number(const cJSON *json, const char *name, double otherwise) {
  const cJSON *item = cJSON_GetObjectItem(json, name);
  return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

const char *fg_json_text(const cJSON *json, const char *name) {
  const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(json, name));
  return value ? value : "";
}

const cJSON *fg_json_list(const cJSON *json, const char *name) { return cJSON_GetObjectItem(json, name); }

char *fg_json_print(const cJSON *json) {
  locale_t before = fg_number_enter();
  char *text = cJSON_PrintUnformatted(json);
  fg_number_leave(before);
  return text;
}

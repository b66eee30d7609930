/* See json.h. */
#include "tuning/json.h"

double fg_json_number(const cJSON *json, const char *name, double otherwise) {
  const cJSON *item = cJSON_GetObjectItem(json, name);
  return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

const char *fg_json_text(const cJSON *json, const char *name) {
  const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(json, name));
  return value ? value : "";
}

const cJSON *fg_json_list(const cJSON *json, const char *name) { return cJSON_GetObjectItem(json, name); }

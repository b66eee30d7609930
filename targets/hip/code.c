/* See code.h. In: an ELF file of 64 bits, little-endian. The note is of type 32
 * and owner "AMDGPU"; its text is MessagePack: a map whose "amdhsa.kernels" is a
 * list of maps, one for each kernel (LLVM's user guide for AMDGPU, code object
 * version 3 and later). Every read is checked: files may be damaged. */
#include "targets/hip/code.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_TYPE = 32, DEEPEST = 16 };

typedef struct reader { /* over MessagePack; `bad` once something did not fit */
  const unsigned char *at, *end;
  bool bad;
} reader;

static uint64_t big_endian(reader *r, int bytes) {
  uint64_t v = 0;
  if (r->end - r->at < bytes) r->bad = true;
  for (int i = 0; i < bytes && !r->bad; i++) v = v << 8 | *r->at++;
  return v;
}

typedef enum kind { NUMBER, TEXT, LIST, MAP, OTHER } kind;

typedef struct item { /* a number's value; else a length: of text, of a list, pairs of a map */
  kind kind;
  uint64_t value;
  const char *text;
} item;

static item sized(reader *r, kind kind, uint64_t size) {
  item i = {.kind = kind, .value = size};
  if (kind != TEXT && kind != OTHER) return i;
  if ((uint64_t)(r->end - r->at) < size) r->bad = true;
  if (r->bad) return i;
  i.text = (const char *)r->at;
  r->at += size;
  return i;
}

/* One value; of lists and maps the head. The table is MessagePack's own. */
static item take(reader *r) {
  unsigned tag = (unsigned)big_endian(r, 1);
  if (r->bad) return (item){.kind = OTHER};
  if (tag <= 0x7f || tag >= 0xe0) return (item){.kind = NUMBER, .value = (uint64_t)(int64_t)(int8_t)tag};
  if (tag <= 0x8f) return sized(r, MAP, tag & 15);
  if (tag <= 0x9f) return sized(r, LIST, tag & 15);
  if (tag <= 0xbf) return sized(r, TEXT, tag & 31);
  switch (tag) {
  case 0xc0: return (item){.kind = OTHER};
  case 0xc2: return (item){.kind = NUMBER, .value = 0};
  case 0xc3: return (item){.kind = NUMBER, .value = 1};
  case 0xc4: return sized(r, OTHER, big_endian(r, 1));
  case 0xc5: return sized(r, OTHER, big_endian(r, 2));
  case 0xca: return sized(r, OTHER, 4);
  case 0xcb: return sized(r, OTHER, 8);
  case 0xcc:
  case 0xd0: return (item){.kind = NUMBER, .value = big_endian(r, 1)};
  case 0xcd:
  case 0xd1: return (item){.kind = NUMBER, .value = big_endian(r, 2)};
  case 0xce:
  case 0xd2: return (item){.kind = NUMBER, .value = big_endian(r, 4)};
  case 0xcf:
  case 0xd3: return (item){.kind = NUMBER, .value = big_endian(r, 8)};
  case 0xd9: return sized(r, TEXT, big_endian(r, 1));
  case 0xda: return sized(r, TEXT, big_endian(r, 2));
  case 0xdb: return sized(r, TEXT, big_endian(r, 4));
  case 0xdc: return sized(r, LIST, big_endian(r, 2));
  case 0xdd: return sized(r, LIST, big_endian(r, 4));
  case 0xde: return sized(r, MAP, big_endian(r, 2));
  case 0xdf: return sized(r, MAP, big_endian(r, 4));
  default: r->bad = true; return (item){.kind = OTHER};
  }
}

static void skip(reader *r, int depth) {
  item i = take(r);
  if (i.kind != LIST && i.kind != MAP) return;
  if (depth > DEEPEST) r->bad = true;
  for (uint64_t k = i.kind == MAP ? 2 * i.value : i.value; k > 0 && !r->bad; k--) skip(r, depth + 1);
}

static bool is(item i, const char *text) {
  return i.kind == TEXT && i.text && i.value == strlen(text) && !memcmp(i.text, text, i.value);
}

static const struct field {
  const char *name;
  size_t offset;
} fields[] = {
    {".vgpr_count", offsetof(fg_hip_usage, vector_registers)},
    {".agpr_count", offsetof(fg_hip_usage, accumulation_registers)},
    {".sgpr_count", offsetof(fg_hip_usage, scalar_registers)},
    {".vgpr_spill_count", offsetof(fg_hip_usage, vector_spills)},
    {".sgpr_spill_count", offsetof(fg_hip_usage, scalar_spills)},
    {".private_segment_fixed_size", offsetof(fg_hip_usage, private_bytes)},
    {".group_segment_fixed_size", offsetof(fg_hip_usage, local_bytes)},
    {".wavefront_size", offsetof(fg_hip_usage, wave)},
    {".max_flat_workgroup_size", offsetof(fg_hip_usage, most_threads)},
};

static const struct field *find_field(item key) {
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (is(key, fields[i].name)) return &fields[i];
  return NULL;
}

static void read_kernel(reader *r, fg_hip_usage *u) {
  item map = take(r);
  if (map.kind != MAP) r->bad = true;
  for (uint64_t k = 0; k < map.value && !r->bad; k++) {
    item key = take(r);
    const struct field *f = find_field(key);
    if (!f && !is(key, ".name")) {
      skip(r, 0);
      continue;
    }
    item value = take(r);
    if (value.kind != (f ? NUMBER : TEXT)) r->bad = true;
    if (r->bad) return;
    int number = (int)value.value;
    if (f)
      memcpy((char *)u + f->offset, &number, sizeof number);
    else
      snprintf(u->kernel, sizeof u->kernel, "%.*s", (int)value.value, value.text);
  }
}

static void read_metadata(reader *r, fg_hip_code *code) {
  item map = take(r);
  if (map.kind != MAP) r->bad = true;
  for (uint64_t k = 0; k < map.value && !r->bad; k++) {
    item key = take(r);
    if (!is(key, "amdhsa.kernels")) {
      skip(r, 0);
      continue;
    }
    item list = take(r);
    if (list.kind != LIST || list.value > FG_HIP_MOST_KERNELS) r->bad = true;
    for (uint64_t i = 0; i < list.value && !r->bad; i++) {
      code->usage[i] = (fg_hip_usage){0};
      read_kernel(r, &code->usage[i]);
      code->nusage = (int)i + 1;
    }
  }
}

static bool inside(const fg_hip_code *code, uint64_t offset, uint64_t size) {
  return offset <= code->size && size <= code->size - offset;
}

/* The notes of one section or segment. True: ours was among them. */
static bool read_notes(fg_hip_code *code, uint64_t offset, uint64_t size, bool *bad) {
  static const char owner[] = "AMDGPU";
  const unsigned char *bytes = code->bytes;
  while (size >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr head;
    memcpy(&head, bytes + offset, sizeof head);
    uint64_t name = (head.n_namesz + (uint64_t)3) & ~(uint64_t)3, text = (head.n_descsz + (uint64_t)3) & ~(uint64_t)3;
    if (sizeof head + name + text > size) return *bad = true, false;
    const unsigned char *at = bytes + offset + sizeof head;
    if (head.n_type == NOTE_TYPE && head.n_namesz == sizeof owner && !memcmp(at, owner, sizeof owner)) {
      reader r = {.at = at + name, .end = at + name + head.n_descsz};
      read_metadata(&r, code);
      return *bad = r.bad, true;
    }
    offset += sizeof head + name + text;
    size -= sizeof head + name + text;
  }
  return false;
}

int fg_hip_code_read(fg_hip_code *code, char why[FG_WHY_SIZE]) {
  Elf64_Ehdr head;
  bool bad = false, found = false;
  code->nusage = 0;
  if (code->size < sizeof head || memcmp(code->bytes, ELFMAG, SELFMAG) != 0 ||
      ((unsigned char *)code->bytes)[EI_CLASS] != ELFCLASS64)
    return snprintf(why, FG_WHY_SIZE, "code object: not an ELF file of 64 bits"), 1;
  memcpy(&head, code->bytes, sizeof head);
  for (int i = 0; i < head.e_phnum && !found && !bad; i++) {
    Elf64_Phdr segment;
    uint64_t at = head.e_phoff + (uint64_t)i * head.e_phentsize;
    bad = head.e_phentsize < sizeof segment || !inside(code, at, sizeof segment);
    if (bad) break;
    memcpy(&segment, (char *)code->bytes + at, sizeof segment);
    if (segment.p_type != PT_NOTE) continue;
    bad = !inside(code, segment.p_offset, segment.p_filesz);
    found = !bad && read_notes(code, segment.p_offset, segment.p_filesz, &bad);
  }
  if (bad) code->nusage = 0;
  if (bad) return snprintf(why, FG_WHY_SIZE, "code object: damaged"), 1;
  return found ? 0 : (snprintf(why, FG_WHY_SIZE, "code object: no note says what its kernels take"), 1);
}

const fg_hip_usage *fg_hip_code_usage(const fg_hip_code *code, const char *kernel) {
  for (int i = 0; i < code->nusage; i++)
    if (!strcmp(code->usage[i].kernel, kernel)) return &code->usage[i];
  return NULL;
}

void fg_hip_code_free(fg_hip_code *code) {
  free(code->bytes);
  code->bytes = NULL;
  code->size = 0;
}

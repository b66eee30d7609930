/* See link.h. In: an object as LLVM writes it, tables, a description. Out: the
 * bytes of a shared object that dlopen takes.
 *
 * The idea: one segment of everything that is only read or run, with all its
 * distances resolved here; one of what the loader writes, which holds absolute
 * addresses and the dynamic section. No section headers, no PLT, no GOT: what is
 * linked calls no other library. Formats: System V ABI, generic and AMD64. */
#include "targets/llvm/link.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, ALIGN = 64, MOST_SECTIONS = 256, MOST_PARTS = 80, MOST_DYNAMIC = 12, HEADS = 4 };

typedef struct linker {
  const fg_link_request *r;
  const unsigned char *object;
  const Elf64_Ehdr *head;
  const Elf64_Shdr *section;
  const Elf64_Sym *symbol;
  size_t nsymbol;
  const char *name;                   /* of symbols */
  uint64_t section_at[MOST_SECTIONS]; /* in the image; 0: not in it */
  uint64_t part_at[MOST_PARTS];
  size_t npublic, nrela, rela_used;
  uint64_t dynsym, dynstr, hash, rela, dynamic, read_end, write_at, end, names_size;
  unsigned char *image;
  char *why;
} linker;

static int fail(const linker *l, const char *what, const char *name) {
  snprintf(l->why, FG_WHY_SIZE, "linking: %s%.300s", what, name);
  return 1;
}

/* ---- the object --------------------------------------------------------------------- */

static bool inside(const linker *l, uint64_t at, uint64_t size) { return at <= l->r->size && size <= l->r->size - at; }

static int read_object(linker *l) {
  l->object = l->r->object;
  l->head = (const Elf64_Ehdr *)(const void *)l->object;
  if (l->r->size < sizeof *l->head || memcmp(l->head->e_ident, ELFMAG, SELFMAG) || l->head->e_type != ET_REL ||
      l->head->e_machine != EM_X86_64)
    return fail(l, "no x86-64 object", "");
  if (l->head->e_shnum > MOST_SECTIONS || !inside(l, l->head->e_shoff, l->head->e_shnum * sizeof *l->section))
    return fail(l, "too many sections", "");
  l->section = (const Elf64_Shdr *)(const void *)(l->object + l->head->e_shoff);
  for (int i = 0; i < l->head->e_shnum; i++) {
    const Elf64_Shdr *s = &l->section[i];
    if (s->sh_type != SHT_NOBITS && !inside(l, s->sh_offset, s->sh_size)) return fail(l, "a section too long", "");
    if (s->sh_type != SHT_SYMTAB) continue;
    l->symbol = (const Elf64_Sym *)(const void *)(l->object + s->sh_offset);
    l->nsymbol = s->sh_size / sizeof *l->symbol;
    l->name = (const char *)l->object + l->section[s->sh_link].sh_offset;
  }
  return l->symbol ? 0 : fail(l, "no symbols", "");
}

static bool is_loaded(const Elf64_Shdr *s) { return (s->sh_flags & SHF_ALLOC) && s->sh_size; }

/* Address of a symbol in the image; 0: there is none. */
static uint64_t address_of_name(const linker *l, const char *name) {
  for (int i = 0; i < l->r->npart; i++)
    if (!strcmp(l->r->part[i].symbol, name)) return l->part_at[i];
  for (size_t i = 0; i < l->nsymbol; i++) {
    const Elf64_Sym *s = &l->symbol[i];
    if (s->st_shndx && s->st_shndx < l->head->e_shnum && !strcmp(l->name + s->st_name, name))
      return l->section_at[s->st_shndx] + s->st_value;
  }
  return 0;
}

static uint64_t address_of(const linker *l, const Elf64_Sym *s) {
  if (s->st_shndx == SHN_UNDEF) return address_of_name(l, l->name + s->st_name);
  if (s->st_shndx >= l->head->e_shnum || !l->section_at[s->st_shndx]) return 0;
  return l->section_at[s->st_shndx] + s->st_value;
}

/* ---- argument slots ------------------------------------------------------------------------ */

static uint64_t align_up(uint64_t x, uint64_t align) { return align > 1 ? (x + align - 1) / align * align : x; }

static uint64_t take(uint64_t *end, uint64_t size, uint64_t align) {
  uint64_t at = align_up(*end, align);
  *end = at + size;
  return at;
}

static void count(linker *l) {
  l->npublic = (size_t)l->r->nfunction;
  l->names_size = 1;
  for (int i = 0; i < l->r->nfunction; i++) l->names_size += strlen(l->r->function[i]) + 1;
  for (int i = 0; i < l->r->npart; i++) {
    const fg_link_part *p = &l->r->part[i];
    l->nrela += (size_t)p->npointer;
    if (!p->is_public) continue;
    l->npublic++;
    l->names_size += strlen(p->symbol) + 1;
  }
}

static void place_sections(linker *l, bool written, uint64_t *end) {
  for (int i = 0; i < l->head->e_shnum; i++)
    if (is_loaded(&l->section[i]) && written == ((l->section[i].sh_flags & SHF_WRITE) != 0))
      l->section_at[i] = take(end, l->section[i].sh_size, l->section[i].sh_addralign);
  for (int i = 0; i < l->r->npart; i++)
    if (written == (l->r->part[i].npointer > 0)) l->part_at[i] = take(end, l->r->part[i].size, ALIGN);
}

static void place_all(linker *l) {
  uint64_t end = sizeof(Elf64_Ehdr) + HEADS * sizeof(Elf64_Phdr);
  count(l);
  l->dynsym = take(&end, (l->npublic + 1) * sizeof(Elf64_Sym), 8);
  l->dynstr = take(&end, l->names_size, 1);
  l->hash = take(&end, (2 + 1 + l->npublic + 1) * sizeof(Elf64_Word), 8);
  l->rela = take(&end, l->nrela * sizeof(Elf64_Rela), 8);
  place_sections(l, false, &end);
  l->read_end = end;
  l->write_at = end = align_up(end, PAGE);
  l->dynamic = take(&end, MOST_DYNAMIC * sizeof(Elf64_Dyn), 16);
  place_sections(l, true, &end);
  l->end = end;
}

/* ---- contents ----------------------------------------------------------------------------- */

static void put32(linker *l, uint64_t at, uint32_t x) { memcpy(l->image + at, &x, sizeof x); }

static void put64(linker *l, uint64_t at, uint64_t x) { memcpy(l->image + at, &x, sizeof x); }

static int relocate(linker *l, const Elf64_Rela *r, uint64_t base) {
  const Elf64_Sym *s = &l->symbol[ELF64_R_SYM(r->r_info)];
  uint64_t target = address_of(l, s), at = base + r->r_offset;
  if (!target) return fail(l, "undefined symbol ", l->name + s->st_name);
  int64_t distance = (int64_t)target + r->r_addend - (int64_t)at;
  switch (ELF64_R_TYPE(r->r_info)) {
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
    if (distance != (int32_t)distance) return fail(l, "too far: ", l->name + s->st_name);
    put32(l, at, (uint32_t)distance);
    return 0;
  case R_X86_64_PC64: put64(l, at, (uint64_t)distance); return 0;
  default: return fail(l, "a relocation of another kind, of ", l->name + s->st_name);
  }
}

static int copy_sections(linker *l) {
  for (int i = 0; i < l->head->e_shnum; i++) {
    const Elf64_Shdr *s = &l->section[i];
    if (l->section_at[i] && s->sh_type != SHT_NOBITS)
      memcpy(l->image + l->section_at[i], l->object + s->sh_offset, s->sh_size);
  }
  for (int i = 0; i < l->head->e_shnum; i++) {
    const Elf64_Shdr *s = &l->section[i];
    if (s->sh_type != SHT_RELA || s->sh_info >= l->head->e_shnum || !l->section_at[s->sh_info]) continue;
    const Elf64_Rela *r = (const Elf64_Rela *)(const void *)(l->object + s->sh_offset);
    for (size_t k = 0; k < s->sh_size / sizeof *r; k++)
      if (relocate(l, &r[k], l->section_at[s->sh_info])) return 1;
  }
  return 0;
}

static int copy_parts(linker *l) {
  for (int i = 0; i < l->r->npart; i++) {
    const fg_link_part *p = &l->r->part[i];
    memcpy(l->image + l->part_at[i], p->bytes, p->size);
    for (int k = 0; k < p->npointer; k++) {
      uint64_t target = address_of_name(l, p->pointer[k].symbol);
      if (!target) return fail(l, "undefined symbol ", p->pointer[k].symbol);
      Elf64_Rela r = {.r_offset = l->part_at[i] + p->pointer[k].at,
                      .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE),
                      .r_addend = (Elf64_Sxword)(target + p->pointer[k].behind)};
      memcpy(l->image + l->rela + l->rela_used++ * sizeof r, &r, sizeof r);
    }
  }
  return 0;
}

/* ---- what the loader reads ------------------------------------------------------------------- */

static int add_public(linker *l, size_t number, const char *name, uint64_t *text, int type) {
  Elf64_Sym s = {.st_name = (Elf64_Word)*text,
                 .st_info = (unsigned char)ELF64_ST_INFO(STB_GLOBAL, type),
                 .st_shndx = 1, /* anything but undefined: there are no sections */
                 .st_value = address_of_name(l, name)};
  if (!s.st_value) return fail(l, "undefined symbol ", name);
  memcpy(l->image + l->dynsym + number * sizeof s, &s, sizeof s);
  memcpy(l->image + l->dynstr + *text, name, strlen(name) + 1);
  *text += strlen(name) + 1;
  return 0;
}

/* One bucket: a chain through all symbols. */
static int write_symbols(linker *l) {
  uint64_t text = 1;
  size_t number = 1;
  int status = 0;
  for (int i = 0; i < l->r->nfunction && !status; i++)
    status = add_public(l, number++, l->r->function[i], &text, STT_FUNC);
  for (int i = 0; i < l->r->npart && !status; i++)
    if (l->r->part[i].is_public) status = add_public(l, number++, l->r->part[i].symbol, &text, STT_OBJECT);
  put32(l, l->hash, 1);
  put32(l, l->hash + 4, (uint32_t)number);
  put32(l, l->hash + 8, 1);
  for (size_t i = 1; i + 1 < number; i++) put32(l, l->hash + 12 + 4 * i, (uint32_t)i + 1);
  return status;
}

static void write_dynamic(linker *l) {
  const uint64_t entry[MOST_DYNAMIC][2] = {
      {DT_HASH, l->hash},
      {DT_STRTAB, l->dynstr},
      {DT_SYMTAB, l->dynsym},
      {DT_STRSZ, l->names_size},
      {DT_SYMENT, sizeof(Elf64_Sym)},
      {l->nrela ? DT_RELA : DT_NULL, l->rela},
      {DT_RELASZ, l->nrela * sizeof(Elf64_Rela)},
      {DT_RELAENT, sizeof(Elf64_Rela)},
      {DT_RELACOUNT, l->nrela},
      {DT_NULL, 0},
  };
  memcpy(l->image + l->dynamic, entry, sizeof entry);
}

static void write_heads(linker *l) {
  Elf64_Ehdr h = *l->head;
  h.e_type = ET_DYN;
  h.e_phoff = sizeof h, h.e_phentsize = sizeof(Elf64_Phdr), h.e_phnum = HEADS;
  h.e_shoff = 0, h.e_shnum = 0, h.e_shstrndx = 0, h.e_entry = 0;
  const Elf64_Phdr p[HEADS] = {
      {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = l->read_end, .p_memsz = l->read_end, .p_align = PAGE},
      {.p_type = PT_LOAD,
       .p_flags = PF_R | PF_W,
       .p_offset = l->write_at,
       .p_vaddr = l->write_at,
       .p_paddr = l->write_at,
       .p_filesz = l->end - l->write_at,
       .p_memsz = l->end - l->write_at,
       .p_align = PAGE},
      {.p_type = PT_DYNAMIC,
       .p_flags = PF_R | PF_W,
       .p_offset = l->dynamic,
       .p_vaddr = l->dynamic,
       .p_paddr = l->dynamic,
       .p_filesz = MOST_DYNAMIC * sizeof(Elf64_Dyn),
       .p_memsz = MOST_DYNAMIC * sizeof(Elf64_Dyn),
       .p_align = 8},
      {.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W, .p_align = 16},
  };
  memcpy(l->image, &h, sizeof h);
  memcpy(l->image + sizeof h, p, sizeof p);
}

int fg_llvm_link(const fg_link_request *request, fg_image *out, char why[FG_WHY_SIZE]) {
  linker l = {.r = request, .why = why};
  if (request->npart > MOST_PARTS) return fail(&l, "too many tables", "");
  if (read_object(&l)) return 1;
  place_all(&l);
  l.image = calloc(1, l.end);
  if (!l.image) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  write_heads(&l);
  write_dynamic(&l);
  if (copy_sections(&l) || copy_parts(&l) || write_symbols(&l)) {
    free(l.image);
    return 1;
  }
  *out = (fg_image){l.image, l.end};
  return 0;
}

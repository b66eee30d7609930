/* Names that are refused: see names.h.
 *
 * The rule: a prefix names a function with external linkage and two files. It is at file scope beside the text's own
 * names, in scopes that call it, and in any program that links it. So it is no word of the languages, no macro, no
 * header, no function of the C library, and no name of the text at file scope or in a scope that calls it. Other
 * locals of the text may hide it. */
#include "generator/print/names.h"
#include "generator/base/text_match.h"
#include "targets/ascii.h"
#include <string.h>

/* Predefined by compilers, or by headers of systems, without an underscore before. */
#define MACROS                                                                                                         \
  "linux unix i386 mips sparc sun sgi hpux vax arm near far small huge cdecl pascal interface min max pixel vector "   \
  "bool true false offsetof assert errno stdin stdout stderr setjmp alloca math_errhandling fpclassify isfinite "      \
  "isinf isnan isnormal isgreater isgreaterequal isless islessequal islessgreater isunordered issubnormal signbit "    \
  "complex imaginary defined std M_* be16toh be32toh be64toh htobe16 htobe32 htobe64 htole16 htole32 htole64 "         \
  "P_tmpdir va_arg va_copy va_end va_start static_assert le16toh le32toh le64toh L_*"

/* Of C, of POSIX and of usual systems: `#include <NAME.h>` would find the emitted file. */
#define HEADERS                                                                                                        \
  "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic "  \
  "stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype "     \
  "aio aliases alloca ar argp argz byteswap conio cpio crypt cpuid dirent dlfcn direct elf endian err error execinfo " \
  "fcntl features fmtmsg fnmatch fstab fts ftw getopt glob grp iconv ifaddrs io langinfo libgen libintl limits link "  \
  "malloc mcheck memory mntent monetary mqueue ndbm netdb nl_types nss obstack omp poll printf process "               \
  "pthread "                                                                                                           \
  "pty pwd regex regexp resolv sched search semaphore sgtty shadow spawn stropts strings syscall sysexits syslog tar " \
  "term termio termios thread_db ttyent ucontext ulimit unistd utime utmp utmpx values wait winsock windows wordexp "  \
  "fftgen arm_neon intrin immintrin emmintrin xmmintrin"

/* Functions for double; f and l may follow. */
#define MATHEMATICS                                                                                                    \
  "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1 frexp ilogb ldexp log "      \
  "log10 log1p log2 logb modf scalb scalbn scalbln cbrt fabs hypot pow pow10 sqrt erf erfc lgamma tgamma gamma ceil "  \
  "floor nearbyint rint lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter "         \
  "nexttoward fdim fmax fmin fma sincos drem finite significand j0 j1 jn y0 y1 yn cabs cacos cacosh carg casin "       \
  "casinh catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh csqrt ctan ctanh roundeven"

/* Functions and objects of the C library and of systems, which a program would find in our place. */
#define LIBRARY                                                                                                        \
  "abort abs accept access alarm aligned_alloc asctime at_quick_exit atexit atof atoi atol atoll basename bcmp bcopy " \
  "bind brk bsearch bzero calloc chdir chmod chown clearerr clock close connect creat ctime daemon difftime dirname "  \
  "div dlclose dlopen dlsym dprintf dup dup2 environ execl execlp execv execve execvp exit fclose fcntl feof ferror "  \
  "fflush ffs fgetc fgetpos fgets fileno fopen fork fprintf fputc fputs fread free freopen fscanf fseek fseeko "       \
  "fsetpos fstat fsync ftell ftello ftruncate fwrite getc getchar getcwd getenv getline getopt getpid gets gettext "   \
  "getuid gmtime index initstate ioctl isalnum isalpha isascii isatty isblank iscntrl isdigit isgraph islower "        \
  "isprint ispunct isspace isupper isxdigit kill labs ldiv link listen llabs lldiv localeconv localtime longjmp "      \
  "lseek lstat main malloc mblen mbstowcs mbtowc memccpy memchr memcmp memcpy memmem memmove mempcpy memset mkdir "    \
  "mktime mlock mmap mprotect munmap nanosleep nice open opendir pause pclose perror pipe poll popen pread printf "    \
  "putc putchar putenv puts pwrite qsort quick_exit raise rand random read readdir readlink realloc recv remove "      \
  "rename rewind rindex rmdir sbrk scanf select send setbuf setenv setlocale setstate setvbuf shutdown sigaction "     \
  "siglongjmp signal sleep snprintf socket sprintf srand srandom sscanf stat stpcpy strcasecmp strcat strchr strcmp "  \
  "strcoll strcpy strcspn strdup strerror strfry strftime strlen strncat strncmp strncpy strndup strnlen strpbrk "     \
  "strrchr strsep strsignal strspn strstr strtod strtof strtok strtol strtold strtoll strtoul strtoull strxfrm "       \
  "symlink sync syscall sysconf system time timegm times tmpfile tmpnam tolower toupper truncate ttyname tzset "       \
  "umask uname ungetc unlink unsetenv usleep utime vfprintf vprintf vscanf vsnprintf vsprintf wait waitpid wcscat "    \
  "wcschr wcscmp wcscpy wcslen wmemcpy write uint ulong ushort"

/* Tables, types and functions at file scope, and what is written beside a call of the function. */
#define OWN                                                                                                            \
  "vec#* from_f16 from_bf16 to_f16 to_bf16 to_u8 to_i16 tw# chirp# spectrum# sum# power# log# window# work# in in_* "  \
  "out out_* p_* scratch tables arguments params step part parts saved memory state relative"

static const struct {
  const char *words; /* spaces between them; #: digits; *: at the end, whatever follows */
  const char *whose;
  bool any_case; /* file systems may not tell the cases apart */
} rules[] = {
    {MACROS, "compilers or headers define it", false},
    {HEADERS, "a header of C or of the system has this name", true},
    {LIBRARY, "the C library has it", false},
    {OWN, "the emitted text has it itself", false},
};

static bool fits(const char *pattern, size_t length, const char *name) {
  for (size_t i = 0; i < length; i++) {
    if (pattern[i] == '*') return true;
    if (pattern[i] != '#' && pattern[i] != *name) return false;
    if (pattern[i] == '#' && !fg_is_digit(*name)) return false;
    name++;
    while (pattern[i] == '#' && fg_is_digit(*name)) name++;
  }
  return !*name;
}

static bool fits_one(const char *words, const char *name) {
  for (size_t length; *words; words += length + (words[length] == ' ')) {
    length = strcspn(words, " ");
    if (fits(words, length, name)) return true;
  }
  return false;
}

static bool is_mathematics(const char *name) {
  size_t n = strlen(name);
  bool suffixed = n > 1 && (name[n - 1] == 'f' || name[n - 1] == 'l');
  return fg_words_has(MATHEMATICS, name, n) || (suffixed && fg_words_has(MATHEMATICS, name, n - 1));
}

static const char *lower(fg_arena *a, const char *name) {
  char *copy = fg_arena_strdup(a, name);
  for (char *c = copy; *c; c++)
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
  return copy;
}

/* Why it may not be; NULL: it may. */
static const char *objection(fg_context *cx, const char *name) {
  size_t n = strlen(name);
  if (name[0] == '_' || strstr(name, "__")) return "C and C++ keep names with such underscores for themselves";
  if (n > 2 && !strcmp(name + n - 2, "_t")) return "systems keep names that end in _t for their types";
  if (!strcmp(name, fg_words_upper(cx->arena, name))) return "names without a small letter are those of macros";
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (fits_one(rules[i].words, rules[i].any_case ? lower(cx->arena, name) : name)) return rules[i].whose;
  return is_mathematics(name) ? "the C library has it" : NULL;
}

fg_status fg_names_check(fg_context *cx, const fg_dialect *d, const char *what, const char *name) {
  if (d->reserved && fg_words_has(d->reserved, name, strlen(name)))
    return fg_refuse(cx, "%s '%s': target %s: the language keeps this name for itself", what, name, d->name);
  const char *why = objection(cx, name);
  if (!why) return FG_OK;
  return fg_refuse(cx, "%s '%s': %s; allowed: other names, such as my_%s", what, name, why,
                   name[0] == '_' ? name + strspn(name, "_") : name);
}

/* Files in memory alone (memfd_create), for loaders and compilers that need a file name. */
#ifndef FG_MEMORY_FILE_H
#define FG_MEMORY_FILE_H

enum { FG_MEMORY_FILE_NAME = 192 };

/* A descriptor, to be closed; -1: there are none here, errno says why. */
int fg_memory_file_create(void);
/* Its name, for this process and its children while it is open. Two calls give two names. */
void fg_memory_file_name(char name[FG_MEMORY_FILE_NAME], int fd);
/* The same bytes as those of the file `path`; -1 and errno. */
int fg_memory_file_copy(const char *path);
#endif
